# frozen_string_literal: true

require_relative "../native"
require_relative "guard"
require_relative "replace"
require_relative "file_update_checker/question"

module Frugal
  module Dropin
    # Makes the file checkers of Rails check each folder and each file once. In development, Rails calls them before
    # each request, to find out whether a file of the application has changed. Stock lists each folder once for each
    # ending of names.
    #
    #   require "frugal/file_update_checker"      # or: frugal run -- bin/rails server, or frugal/rails in the Gemfile
    #
    # Only `updated?` is replaced. The drop-in itself returns only that nothing has changed; in any other case stock
    # answers. Stock compares the number of files and the newest of their mtimes.
    #
    # *Cost*: a `stat` for each folder and each file; a folder that may have changed is listed.
    module FileUpdateChecker
      CHECKER = ::ActiveSupport::FileUpdateChecker
      HOOKS = %i[updated? watched updated_at max_mtime].freeze
      # The methods that `updated?` calls; a program may redefine them later.
      CALLED = HOOKS.drop(1).freeze
      CALLED_METHODS = CALLED.map { |name| CHECKER.instance_method(name) }.freeze
      FILE = ::File
      DIR = ::Dir
      OF_FILE = FILE.singleton_class
      OF_DIR = DIR.singleton_class
      OF_TIME = ::Time.singleton_class
      OF_PROCESS = ::Process.singleton_class
      READ = ::Kernel.instance_method(:instance_variable_get)
      CLOCK = -> { ::Process.clock_gettime(::Process::CLOCK_REALTIME, :nanosecond) }
      private_constant :CHECKER, :CALLED, :CALLED_METHODS, :FILE, :DIR, :OF_FILE, :OF_DIR, :OF_TIME, :OF_PROCESS, :READ,
                       :CLOCK

      # The method for ActiveSupport::FileUpdateChecker.
      module Checker
        # The engine waits for the kernel. An exception that a signal handler, a timer or a thread raises meanwhile
        # belongs to the program, so the engine is called where nothing is rescued.
        def updated?
          newest, *expected = or_stock(nil) { Dropin::FileUpdateChecker.question(self) }
          return false if newest.unchanged?(*expected)

          frugal_stock_updated?
        end
      end

      class << self
        # @return [String, nil] the reason why this drop-in stands aside
        def guard
          return "it pays only with the C engine, under Linux" unless Native.engine_name == :c && linux?

          redefined = Guard.redefined(CHECKER, HOOKS, file: "/active_support/file_update_checker.rb")
          redefined || ("a method of File, Dir, Time or Process was redefined" unless core?)
        end

        # Replaces the method.
        def install
          Replace.methods(CHECKER, Checker)
        end

        # *Cost*: no system call except the one that reads the clock.
        #
        # @param checker [ActiveSupport::FileUpdateChecker]
        # @return [Array, nil] the engine's object, and the arguments of its `unchanged?`, which returns whether
        #   stock's `updated?` would return false; nil if only stock can answer
        def question(checker)
          return if checker.frozen? || !Native.engine.direct?(checker, CHECKER)

          newest = Question.of(checker, read(checker, :@files), read(checker, :@glob) || read(checker, :@globs)).newest
          return unless newest && stock? && core? && plain_names?

          last = read(checker, :@last_watched)
          time = read(checker, :@last_update_at)
          return unless last.instance_of?(::Array) && time.instance_of?(::Time)
          return if read(checker, :@watched) || read(checker, :@updated_at) # it was asked, and `execute` was not called

          [newest, last.size, time.to_i, time.nsec, *CLOCK.call.divmod(1_000_000_000)]
        end

        # Whether each path counts once, however many patterns it matches: from Rails 7.2 on.
        def unique? = !::ActiveSupport::VERSION::STRING.start_with?("7.0.", "7.1.")

        private

        # Whether this is Linux: on other systems, a file system may change names.
        def linux? = Platform::LINUX

        # A prepended module may have changed what is watched.
        def stock? = Native.engine.same?(CHECKER, CALLED, CALLED_METHODS)

        # Whether the methods that stock calls are still Ruby's own: a test may replace them at any time.
        def core?
          engine = Native.engine
          FILE.equal?(::File) && DIR.equal?(::Dir) && engine.core?(OF_FILE, :exist?, :mtime) &&
            engine.core?(OF_PROCESS, :clock_gettime) && engine.core?(::Array, :select, :concat, :uniq!, :size, :each) &&
            internal?(OF_DIR, :[], "<internal:dir>") && internal?(OF_TIME, :now, "<internal:timev>")
        end

        # Whether a method is Ruby's own, and written in Ruby. The method of frugal's drop-in for Dir has the same
        # path.
        def internal?(owner, name, path)
          method = owner.instance_method(name)
          method.owner.equal?(owner) && method.source_location&.first == path
        end

        # Whether paths are the bytes that the kernel returns. Rails sets the internal encoding to UTF-8.
        def plain_names? = (internal = ::Encoding.default_internal).nil? || internal.equal?(::Encoding::UTF_8)

        # Reads an instance variable of a checker. From Rails 8.1 on, `@globs` replaces `@glob`.
        def read(checker, name) = READ.bind_call(checker, name)
      end
    end
  end
end
