# frozen_string_literal: true

# The ways in which programs and their tests redefine, stub or wrap a method. Each kind
# records the calls in {CALLS}, where it can, and runs the scenario.
module Kinds
  CALLS = []

  class << self
    # @param singleton [Boolean] whether it is a singleton method, such as Dir.glob
    # @return [Array<Symbol>] the kinds that apply to it
    def of(singleton)
      kinds = %i[redefine alias_chain prepend freeze remove_method undef_method saved_unbound]
      return kinds + %i[minitest_stub rspec_original rspec_with mocha saved refinement] if singleton

      kinds + %i[rspec_any_instance mocha_any_instance]
    end

    # @param owner [Module] the module that defines the method
    # @param object [Object, nil] the object of which the owner is the singleton class
    # @yield runs the scenario
    def apply(kind, owner, object, name, &scenario) = send(kind, owner, object, name, &scenario)

    private

    def redefine(owner, _, name)
      visible(owner, name) { owner.define_method(name) { |*| CALLS.push(name) && :mine } }
      yield
    end

    def alias_chain(owner, _, name)
      visible(owner, name) do
        owner.alias_method(:the_original, name)
        owner.define_method(name) do |*arguments, **options, &block|
          CALLS << name
          the_original(*arguments, **options, &block)
        end
      end
      yield
    end

    def prepend(owner, _, name)
      watch = Module.new do
        define_method(name) do |*arguments, **options, &block|
          CALLS << name
          super(*arguments, **options, &block)
        end
      end
      watch.__send__(visibility(owner, name), name)
      owner.prepend(watch)
      yield
    end

    def freeze(owner, object, _)
      (object || owner).freeze
      owner.freeze
      yield
    end

    def remove_method(owner, _, name)
      owner.__send__(:remove_method, name)
      yield
    end

    def undef_method(owner, _, name)
      owner.__send__(:undef_method, name)
      yield
    end

    def minitest_stub(_, object, name, &scenario)
      require "minitest/mock"
      object.stub(name, ->(*arguments, **) { CALLS.push(arguments) && :stubbed }, &scenario)
      scenario.call # the original method is back
    end

    def rspec_original(_, object, name)
      rspec { allow(object).to receive(name).and_call_original }
      yield
      RSpec::Mocks.teardown
      yield
    end

    # Stubs one call; all others call the original.
    def rspec_with(_, object, name)
      rspec do
        allow(object).to receive(name).and_call_original
        allow(object).to receive(name).with("**/*.rb").and_return(["stubbed.rb"])
      end
      yield
    end

    def rspec_any_instance(owner, _, name)
      rspec { allow_any_instance_of(owner).to receive(name).and_return(:stubbed) }
      yield
      RSpec::Mocks.teardown
      yield
    end

    def rspec(&block)
      require "rspec/mocks/standalone"
      TOPLEVEL_BINDING.receiver.instance_exec(&block)
    end

    def mocha(_, object, name)
      require "mocha/api"
      Object.new.extend(Mocha::API).tap { |api| api.mocha_setup if api.respond_to?(:mocha_setup) }
      object.stubs(name).returns(:stubbed)
      yield
      Mocha::Mockery.teardown
      yield
    end

    def mocha_any_instance(owner, _, name)
      require "mocha/api"
      owner.any_instance.stubs(name).returns(:stubbed)
      yield
      Mocha::Mockery.teardown
      yield
    end

    # Keeps a Method object from before frugal is loaded, and calls it afterwards.
    def saved(_, object, name)
      kept = object.method(name)
      yield
      arguments = Scenarios::ARGUMENTS.fetch(name)
      CALLS << outcome { kept.call(*arguments) }
    end

    def saved_unbound(owner, object, name)
      kept = owner.instance_method(name)
      yield
      CALLS << kept.name
      CALLS << outcome { kept.bind_call(object, *Scenarios::ARGUMENTS.fetch(name)) } if object
    end

    def refinement(owner, object, name)
      refinement = Module.new do
        refine(owner) { define_method(name) { |*arguments, &block| [:refined, super(*arguments, &block)] } }
      end
      yield
      call = eval(<<~RUBY, TOPLEVEL_BINDING, __FILE__, __LINE__ + 1) # rubocop:disable Security/Eval
        ->(refinement) do
          Module.new do
            using refinement
            define_singleton_method(:call) { |object, arguments| object.#{name}(*arguments) }
          end
        end
      RUBY
      CALLS << outcome { call.call(refinement).call(object, Scenarios::ARGUMENTS.fetch(name)) }
    end

    def outcome
      value = yield
      value = value.to_a if value.is_a?(Enumerator)
      value.inspect
    rescue StandardError => e
      "#{e.class}: #{e.message.lines.first}"
    end

    def visible(owner, name)
      before = visibility(owner, name)
      yield
      owner.__send__(before, name)
    end

    def visibility(owner, name)
      return :private if owner.private_method_defined?(name)

      owner.protected_method_defined?(name) ? :protected : :public
    end
  end
end
