# frozen_string_literal: true

# Puts functions around Ruby's methods: a module that is prepended to the class, with a method for each name. It passes
# all arguments on as they are.
module Wrappers
  LOST = Object.new.freeze # in place of the result of a method that did not return
  private_constant :LOST

  class << self
    # @param owner [Module] such as File.singleton_class
    # @param handler [Module] whose method `kind` records the call, see `finish`
    # @param kind [Symbol]
    # @param names [Array<String>] those that this Ruby does not have are left out
    # @return [void]
    def around(owner, handler, kind, names)
      here = names.select { |name| owner.method_defined?(name) || owner.private_method_defined?(name) }
      extension = Module.new
      extension.const_set(:HANDLER, handler)
      here.each { |name| extension.module_eval(source(name, kind), __FILE__, __LINE__) }
      owner.prepend(extension)
    end

    # Records a call, the block, unless it is a part of another one.
    #
    # @return [Object] the value of the block
    def run(handler, kind, receiver, name, args)
      start = Recorder.enter or return yield
      result = LOST
      begin
        result = yield
      ensure
        finish(handler, kind, receiver, name, args, start, result, $!)
      end
    end

    # Records a call that has ended.
    #
    # @param start [Integer] nanoseconds
    # @param result [Object] what it returned, or LOST
    # @return [void]
    def finish(handler, kind, receiver, name, args, start, result, error) # rubocop:disable Metrics/ParameterLists -- called from one place
      Recorder.leave do |time|
        lost = LOST.equal?(result)
        Exceptions.trim(error) if lost && error
        next if lost && !(SystemCallError === error || EOFError === error)

        call = Call.new(receiver, name, args, lost ? nil : result, lost ? error : nil, start, time, Stacks.here)
        handler.public_send(kind, call)
      end
    end

    private

    # The exception is taken from `$!` in `ensure`, not in `rescue`: it is not raised a second time.
    def source(name, kind)
      <<~RUBY
        ruby2_keywords def #{name}(*args, &block)
          start = Recorder.enter or return super(*args, &block)
          result = LOST
          begin
            result = super(*args, &block)
          ensure
            Wrappers.finish(HANDLER, :#{kind}, self, :#{name}, args, start, result, $!)
          end
        end
      RUBY
    end
  end

  # One call of a method of Ruby's, and the events that stand for it.
  class Call
    attr_reader :receiver, :name, :args, :result, :error

    def initialize(receiver, name, args, result, error, start, finish, stack) # rubocop:disable Metrics/ParameterLists -- made in one place
      @receiver = receiver
      @name = name
      @args = args
      @result = result
      @error = error
      @time = start
      @duration = finish - start
      @stack = stack
    end

    # @return [Integer] 0 for none
    def errno = error.respond_to?(:errno) ? error.errno.to_i : 0

    # @param call [Symbol]
    # @param event [Hash] as of Log#append
    # @return [void]
    def event(call, **event)
      Recorder.append(call, time: @time, duration: @duration, error: errno, stack: @stack, **event)
      @time += 1 # the order of events is their time
      @duration = 0
    end
  end

  # What a method was given and found.
  module Values
    FILE = File
    DIRECTORY = Dir
    MASK = (1 << 62) - 1
    DESCRIPTORS = 1 << 30 # more than a process can have
    MISSING = Errno::ENOENT::Errno
    DENIED = Errno::EACCES::Errno
    private_constant :FILE, :DIRECTORY, :MASK, :DESCRIPTORS

    class << self
      # @return [Integer] a descriptor for the events of a method that opens and closes a file itself
      def descriptor = DESCRIPTORS + (@descriptors = (@descriptors.to_i + 1) & 0xffff)

      # @param name [Object] a path as Ruby's methods take it
      # @return [String] absolute, in binary
      def absolute(name)
        path = (String === name ? name : FILE.path(name)).b
        return path if path.start_with?("/")

        directory = DIRECTORY.pwd.b
        path.empty? ? directory : "#{directory}/#{path}"
      end

      # @param value [Object]
      # @return [Integer] equal for what is equal, in this process and its forks; never 0
      def digest(value) = (value.hash & MASK) | 1

      # @param bytes [String]
      # @return [Integer]
      def content(bytes) = digest(bytes.b)

      # @param stat [File::Stat]
      # @return [Hash] `result` and `bytes` of an event
      def facts(stat)
        { result: digest([stat.ftype, stat.size, stat.ino, stat.mtime, stat.ctime]), bytes: stat.size }
      end

      # What is there now.
      #
      # @param path [String]
      # @param link [Boolean] whether a link is what is asked about
      # @return [Hash] of an event; without an entry for what is unknown
      def look(path, link)
        return { error: MISSING } unless FILE.exist?(path) || (link && FILE.symlink?(path))

        facts(link ? FILE.lstat(path) : FILE.stat(path))
      rescue SystemCallError => e
        { error: e.errno }
      end
    end
  end
end
