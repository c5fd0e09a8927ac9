# frozen_string_literal: true

require_relative "../../dropin"
require_relative "../kinds"

module Frugal
  module Profile
    module Findings
      # Finds the drop-in of frugal that removes a finding: by its kind, by the upstream file that makes the calls and,
      # if the drop-in replaces only some methods of the file, by the methods on the stack. None is named in a program
      # that runs with it.
      class DropIns
        # @return [Regexp] matches a file of a gem, also if the gem comes with Ruby or as a package of the system
        def self.library(gem, file) = %r{/(?:#{gem}-[^/]+/lib|vendor_ruby|ruby/\d[^/]*)/#{file}}

        QUESTIONS = %i[redundant_call check_then_use rescued_error].freeze
        # docs/compatibility.md lists what each drop-in removes.
        TABLE = [
          [:rake, library("rake", "rake/"), QUESTIONS],
          [:find, library("find", "find\\.rb\\z"), [:serial_walk]],
          [:fileutils, library("fileutils", "fileutils\\.rb\\z"), [*QUESTIONS, :serial_walk, :unlink_after_rename]],
          [:pstore, library("(?:pstore|yaml)", "(?:pstore|yaml/store)\\.rb\\z"),
           %i[needless_digest identical_rewrite redundant_call]],
          [:active_support, library("activesupport", "active_support/cache/file_store\\.rb\\z"), [:check_then_use]],
          [:file_update_checker, library("activesupport", "active_support/file_update_checker\\.rb\\z"),
           [*QUESTIONS, :serial_walk, :repeated_listing]],
          [:sprockets, library("sprockets", "sprockets/(?:path_utils|cache/file_store)\\.rb\\z"), [:check_then_use]],
          [:sinatra, library("sinatra", "sinatra/"), [:dropped_backtrace]],
          [:rails, library("actionpack", "action_(?:dispatch|controller)/"), [:dropped_backtrace]]
        ].freeze
        private_constant :QUESTIONS, :TABLE

        OURS = "#{File.expand_path("../..", __dir__)}/".b.freeze
        RUN = "autorun/start.rb" # what a process reads that `frugal run` has started
        FEATURE = /\A(\w+)\.rb\z/ # enables one drop-in
        private_constant :OURS, :RUN, :FEATURE

        # @param name [Symbol]
        # @return [String] a sentence without its full stop
        def self.advice(name) = "run it with `frugal run`, or add require \"frugal/#{name}\": the drop-in removes this"

        # @param recording [Recording]
        def initialize(recording)
          opens = recording.calls.select { |call| Kinds::OPENS.include?(call.name) && call.error.nil? && call.path }
          ours = opens.map(&:path).uniq.map(&:b).select { |path| path.start_with?(OURS) }
          names = ours.map { |path| path.delete_prefix(OURS) }
          @run = names.include?(RUN)
          @on = names.to_h { |name| [name[FEATURE, 1]&.to_sym, true] }
        end

        # @param kind [Symbol]
        # @param file [String] the file that makes the calls
        # @param calls [Array<Call>]
        # @return [Symbol, nil] nil also if the drop-in would leave one of the calls to stock, or is on already
        def for(kind, file, calls)
          name, files, = TABLE.find { |_, its_files, kinds| kinds.include?(kind) && its_files.match?(file) }
          off(name) if name && answers_all?(name, files, calls)
        end

        # @param name [Symbol]
        # @return [Symbol, nil] nil if the program runs with the drop-in already, which then leaves this to stock
        def off(name) = (name unless @run || @on.key?(name))

        private

        # @return [Boolean] whether the drop-in replaces a method on the stack of each call
        def answers_all?(name, files, calls)
          drop_in = Dropin::CATALOGUE.fetch(name)
          calls.map(&:stack).uniq(&:object_id).all? do |stack|
            stack.frames.any? do |frame|
              frame.source? && files.match?(frame.file) && drop_in.answers?(frame.label.to_s[/\w+[?!]?\z/])
            end
          end
        end
      end
    end
  end
end
