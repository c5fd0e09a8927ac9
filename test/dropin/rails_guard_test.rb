# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/rails_case"

# When the Rails drop-in stands aside, and what it does if somebody else overrides a part of Rails.
class RailsGuardTest < Frugal::TestCase
  include RailsCase

  # The settings of an application, by the state that the drop-in then has.
  STATES = {
    "aside: ActionDispatch::ShowExceptions#call was redefined" =>
      { change: "ActionDispatch::ShowExceptions.prepend(Module.new { def call(env) = super })" },
    "aside: Rails 9.9.1 is not a known version (known: 7.0 to 8.1)" =>
      { change: 'Rails::VERSION.send(:remove_const, :STRING); Rails::VERSION::STRING = "9.9.1"' },
    "aside: developers see the errors (config.consider_all_requests_local)" => { local: true, lazy: true },
    "off: FRUGAL=0" => { env: { "FRUGAL" => "0" } },
    "off: FRUGAL_RAILS=0" => { env: { "FRUGAL_RAILS" => "0" } }
  }.freeze

  def test_stands_aside_and_is_turned_off
    runs = STATES.values.map { |settings| { **settings, frugal: true, state: true, requests: [] } }
    assert_equal STATES.keys, RailsRuns.see(runs)
  end

  # As Rails' own tests do for a while: then the method is called as early and as often as by stock, but not before
  # and not afterwards.
  def test_somebody_else_lists_the_templates
    script = <<~RUBY
      %w[logger rails action_controller action_view frugal/dropin/rails].each { |feature| require feature }
      Frugal::Dropin::Rails.install if ARGV.first == "dropin"
      def view = raise("in a template")
      ERROR = begin view; rescue => e; e; end
      def wrapper = ActionDispatch::ExceptionWrapper.new(nil, ERROR)
      def backtraces_made = wrapper.instance_variable_get(:@backtrace).nil? ? 0 : 1
      registry = ActionView::PathRegistry.singleton_class
      templates = [Struct.new(:built_templates).new([Struct.new(:method_name).new("view")])]
      calls = 0
      before = backtraces_made
      registry.alias_method :kept, :all_resolvers
      registry.define_method(:all_resolvers) { (calls += 1) && templates }
      one = wrapper
      registry.alias_method :all_resolvers, :kept
      print before, one.full_trace.first.class, calls, backtraces_made
    RUBY
    versions = RailsRuns.versions.select { |version| version >= "7.1" }
    refute_empty versions
    versions.each do |version|
      options = ["-W0", "-I", LIB, *WebGems.options(RailsRuns::GEMS.to_h { |gem| [gem, version] }), "-e", script]
      stock, dropin = %w[stock dropin].map { |side| run_command(RUBY, *options, side, env: WebGems::ENVIRONMENT) }
      # Ruby 3.4 names a frame with its class: by that name, Rails 7 finds no template.
      location = "ActionDispatch::ExceptionWrapper::SourceMapLocation"
      location = stock.out[/[A-Z].*[a-z]/] unless RUBY_VERSION < "3.4"
      assert_equal "1#{location}11", stock.out, stock.err
      assert_equal "0#{location}10", dropin.out, dropin.err
    end
  end

  def test_without_rails
    result = run_ruby("-e", %(require "frugal/rails"), env: { "GEM_PATH" => tree, "GEM_HOME" => tree })
    assert_match(%r{frugal/rails is for a Rails application.*gem "rails"}, result.err)
  end
end
