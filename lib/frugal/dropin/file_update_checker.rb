# frozen_string_literal: true

require_relative "../native"
require_relative "guard"
require_relative "replace"
require_relative "file_update_checker/question"

module Frugal
  module Dropin
    # Makes the file checkers of Rails ask each folder and each file once. In development, Rails asks them before each
    # request whether a file of the application has changed; stock lists each folder once for each ending of names.
    #
    #   require "frugal/file_update_checker"      # or: frugal run -- bin/rails server, or frugal/rails in the Gemfile
    #
    # Only `updated?` is replaced, and only the answer that nothing has changed: in any other case stock answers. What
    # stock compares is the number of files and the newest of their mtimes.
    #
    # *Cost*: a `stat` for each folder and each file; a folder that may have changed is listed.
    module FileUpdateChecker
      # The versions that the differential fuzzer runs against.
      KNOWN_VERSIONS = ("7.0".."8.2")
      CHECKER = ::ActiveSupport::FileUpdateChecker
      HOOKS = %i[updated? watched updated_at max_mtime].freeze
      # What `updated?` calls; a program may redefine them later.
      CALLED = HOOKS.drop(1).freeze
      CALLED_METHODS = CALLED.map { |name| CHECKER.instance_method(name) }.freeze
      FILE = ::File
      DIR = ::Dir
      OF_FILE = FILE.singleton_class
      OF_DIR = DIR.singleton_class
      OF_TIME = ::Time.singleton_class
      OF_PROCESS = ::Process.singleton_class
      READ = ::Kernel.instance_method(:instance_variable_get)
      private_constant :CHECKER, :CALLED, :CALLED_METHODS, :FILE, :DIR, :OF_FILE, :OF_DIR, :OF_TIME, :OF_PROCESS, :READ

      # The method for ActiveSupport::FileUpdateChecker.
      module Checker
        def updated?
          unchanged = begin
            Dropin::FileUpdateChecker.unchanged?(self)
          rescue OwnFailure
            false
          end
          return false if unchanged

          frugal_stock_updated?
        end
      end

      class << self
        # @return [String, nil] the reason why this drop-in stands aside
        def guard
          return "it pays only with the C engine, under Linux" unless Native.engine_name == :c && linux?

          unknown = Guard.unknown_version("ActiveSupport", ::ActiveSupport::VERSION::STRING, KNOWN_VERSIONS)
          return unknown if unknown

          redefined = Guard.redefined(CHECKER, HOOKS, file: "/active_support/file_update_checker.rb")
          redefined || ("a method of File, Dir, Time or Process was redefined" unless core?)
        end

        # Replaces the method.
        def install
          Replace.methods(CHECKER, Checker)
        end

        # *Cost*: see {FileUpdateChecker}.
        #
        # @param checker [ActiveSupport::FileUpdateChecker]
        # @return [Boolean] whether stock's `updated?` would return false; false if only stock can tell
        def unchanged?(checker)
          return false unless stock?(checker) && core? && plain_names?

          last, time = variables(checker, :@last_watched, :@last_update_at)
          return false unless last.instance_of?(::Array) && time.instance_of?(::Time)
          return false if variables(checker, :@watched, :@updated_at).any? # it was asked, and `execute` was not called

          files, *globs = variables(checker, :@files, :@glob, :@globs)
          question = Question.of(checker, files, globs.compact.first)
          question.unchanged?(last.size, time)
        end

        # Whether each path counts once, however many patterns it matches: from Rails 7.2 on.
        def unique? = !::ActiveSupport::VERSION::STRING.start_with?("7.0.", "7.1.")

        private

        # On other systems, a file system may change names.
        def linux? = ::RUBY_PLATFORM.include?("linux")

        # A subclass, a singleton class or a prepended module may have changed what is watched.
        def stock?(checker)
          Native.engine.direct?(checker, CHECKER) && Native.engine.same?(CHECKER, CALLED, CALLED_METHODS)
        end

        # Whether the methods that stock calls are still Ruby's own: a test may replace them at any time.
        def core?
          engine = Native.engine
          FILE.equal?(::File) && DIR.equal?(::Dir) && engine.core?(OF_FILE, :exist?, :mtime) && lists? &&
            engine.core?(OF_PROCESS, :clock_gettime) && clock?
        end

        # Dir[] and Time.now are written in Ruby. Those of frugal's drop-in have the path of Ruby's own.
        def lists? = internal?(OF_DIR.instance_method(:[]), OF_DIR, "<internal:dir>")

        def clock? = internal?(OF_TIME.instance_method(:now), OF_TIME, "<internal:timev>")

        def internal?(method, owner, path)
          method.owner.equal?(owner) && method.source_location&.first == path
        end

        # Whether paths are the bytes that the kernel returns. Rails sets the internal encoding to UTF-8.
        def plain_names? = (internal = ::Encoding.default_internal).nil? || internal.equal?(::Encoding::UTF_8)

        def variables(checker, *names) = names.map { |name| READ.bind_call(checker, name) }
      end
    end
  end
end
