# frozen_string_literal: true

module Frugal
  module Profile
    module Findings
      # Which drop-in of frugal removes a finding: by the kind and by the upstream file that makes the calls.
      module DropIns
        # @return [Regexp] a file of a gem, also where it comes with Ruby or as a package of the system
        def self.library(gem, file) = %r{/(?:#{gem}-[^/]+/lib|vendor_ruby|ruby/\d[^/]*)/#{file}}

        QUESTIONS = %i[redundant_call check_then_use rescued_error].freeze
        # What each removes is in docs/compatibility.md.
        TABLE = [
          [:rake, library("rake", "rake/"), QUESTIONS],
          [:find, library("find", "find\\.rb\\z"), [:serial_walk]],
          [:fileutils, library("fileutils", "fileutils\\.rb\\z"), [*QUESTIONS, :serial_walk, :unlink_after_rename]],
          [:pstore, library("(?:pstore|yaml)", "(?:pstore|yaml/store)\\.rb\\z"),
           %i[needless_digest identical_rewrite redundant_call]],
          [:active_support, library("activesupport", "active_support/cache/file_store\\.rb\\z"), [:check_then_use]],
          [:file_update_checker, library("activesupport", "active_support/file_update_checker\\.rb\\z"),
           [*QUESTIONS, :serial_walk]],
          [:sprockets, library("sprockets", "sprockets/(?:path_utils|cache/file_store)\\.rb\\z"), [:check_then_use]],
          [:sinatra, library("sinatra", "sinatra/"), [:dropped_backtrace]],
          [:rails, library("actionpack", "action_(?:dispatch|controller)/"), [:dropped_backtrace]]
        ].freeze
        private_constant :QUESTIONS, :TABLE

        module_function

        # @param kind [Symbol]
        # @param file [String]
        # @return [Symbol, nil]
        def for(kind, file) = TABLE.find { |_, files, kinds| kinds.include?(kind) && files.match?(file) }&.first

        # @param name [Symbol]
        # @return [String] a sentence without its full stop
        def advice(name) = "run it with `frugal run`, or add require \"frugal/#{name}\": the drop-in removes this"
      end
    end
  end
end
