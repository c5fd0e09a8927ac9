# frozen_string_literal: true

# What programs and their tests put in the place of a method, or in front of it. Each
# kind notes its calls in {CALLS}, as far as it can, and runs the scenario.
module Kinds
  CALLS = []

  class << self
    # @param singleton [Boolean] whether the method is an object's own, as Dir.glob is Dir's
    # @return [Array<Symbol>] what can be done to it
    def of(singleton)
      kinds = %i[redefine alias_chain prepend freeze remove_method undef_method saved_unbound]
      kinds + (singleton ? %i[minitest_stub rspec_original rspec_with mocha saved refinement] : %i[rspec_any_instance mocha_any_instance])
    end

    # @param owner [Module] that defines the method
    # @param object [Object, nil] whose singleton class the owner is
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
      scenario.call # what was there is back
    end

    def rspec_original(_, object, name)
      rspec { allow(object).to receive(name).and_call_original }
      yield
      RSpec::Mocks.teardown
      yield
    end

    # One call is answered, all others are the original's.
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

    # A Method that was taken earlier than what comes later.
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
      refinement = Module.new { refine(owner) { define_method(name) { |*arguments, &block| [:refined, super(*arguments, &block)] } } }
      yield
      call = eval(<<~RUBY, TOPLEVEL_BINDING, __FILE__, __LINE__ + 1) # rubocop:disable Security/Eval
        ->(refinement) { Module.new { using refinement; define_singleton_method(:call) { |object, arguments| object.#{name == :[] ? "[](" : "#{name}("}*arguments) } } }
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
