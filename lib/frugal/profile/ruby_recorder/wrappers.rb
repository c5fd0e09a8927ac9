# frozen_string_literal: true

# Wraps Ruby's methods: prepends a module to the class, with a method for each name, which passes all arguments on
# unchanged.
module Wrappers
  LOST = Object.new.freeze # in place of the result of a method that did not return
  private_constant :LOST

  class << self
    # @param owner [Module] such as File.singleton_class
    # @param handler [Module] whose method `kind` records the call, see `finish`
    # @param kind [Symbol]
    # @param names [Array<String>] methods that this Ruby does not have are left out
    # @return [void]
    def around(owner, handler, kind, names)
      here = names.select { |name| owner.method_defined?(name) || owner.private_method_defined?(name) }
      extension = extension(owner, handler)
      here.each { |name| define(extension, owner, name, source(name, kind), __FILE__) }
    end

    # Defines a wrapper. Its code begins with `stock`.
    #
    # @param extension [Module] of `prepended`
    # @param code [String]
    # @param file [String] for backtraces
    # @return [void]
    def define(extension, owner, name, code, file)
      extension::STOCK[name.to_sym] = owner.instance_method(name)
      extension.module_eval(code, file, 1)
    end

    # @return [Module] a new one, for wrappers
    def prepended(owner)
      Module.new.tap do |extension|
        extension.const_set(:STOCK, {})
        owner.prepend(extension)
      end
    end

    # Returns the beginning of a wrapper's code. If a program aliases a wrapped method and calls the alias in a method
    # of its own with the old name, `super` in the alias would call the program's method, and so on without end.
    #
    # @return [String]
    def stock(name) = "return STOCK[:#{name}].bind_call(self, *args, &block) unless :#{name}.equal?(__callee__)"

    # Runs the block and records it as a call, unless it is a part of another call.
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
    # @param result [Object] the result of the call, or LOST
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

    def extension(owner, handler)
      (@extensions ||= {})[[owner, handler]] ||=
        prepended(owner).tap { |extension| extension.const_set(:HANDLER, handler) }
    end

    # The exception is taken from `$!` in `ensure`, not in `rescue`: so the exception is not raised a second time.
    def source(name, kind)
      <<~RUBY
        ruby2_keywords def #{name}(*args, &block)
          #{stock(name)}
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
end
