# frozen_string_literal: true

require_relative "web_gems"
require_relative "subprocess"
require_relative "rails_app/requests"

# Runs the Rails application of test/support/rails_app in processes, stock and with the drop-in.
module RailsRuns
  SHOW = "ActionDispatch::ShowExceptions"
  DEBUG = "ActionDispatch::DebugExceptions"
  GEMS = %w[railties actionpack actionview activesupport activemodel activerecord].freeze
  # Settings of the application, by name.
  VARIANTS = {
    quiet: {}, watched: { watched: true, tags: true }, between: { between: [[SHOW, "outer"], [DEBUG, "inner"]] },
    inside: { watched: true, between: [[DEBUG, "inner"]] },
    outside: { between: [["Rails::Rack::Logger", "outside"]], log_level: "debug" },
    silent: { log_level: "error" }
  }.freeze

  # @return [Array<String>] such as "7.2.4", oldest first
  def self.versions = WebGems.versions("railties")

  # @param plan [Array<Hash>] the runs, see test/support/rails_app.rb
  # @param rails [String] a version
  # @param rack [String, nil] a version; nil for the newest that this Rails supports
  # @return [Array<Array<Hash>>] for each run, what was observed of each request
  def self.see(plan, rails: versions.last, rack: nil)
    rack ||= "2.2.17" if rails < "7.1"
    options = WebGems.options(GEMS.to_h { |gem| [gem, rails] }.merge({ "rack" => rack }.compact))
    plan = plan.map { |run| { "lib" => Subprocess::LIB }.merge(run.transform_keys(&:to_s)) }
    with_rails(options).then do |process|
      process.write(Marshal.dump(plan))
      Marshal.load(process)
    end
  end

  # @return [IO] of a process that has loaded Rails, which takes seconds, for all plans
  def self.with_rails(options)
    @with_rails ||= {}.tap { |processes| Minitest.after_run { processes.each_value(&:close) } }
    @with_rails[options] ||= IO.popen([WebGems::ENVIRONMENT, Subprocess::RUBY, "-W0", *options, "#{__dir__}/rails_app.rb"], "r+b")
  end
  private_class_method :with_rails

  # @param variants [Array<Symbol>] of {VARIANTS}
  # @return [Hash{Symbol => Hash}] for each variant a run with stock and one with the drop-in, such as
  #   :stock_quiet and :dropin_quiet
  def self.plan(requests, *variants)
    variants.each_with_object({}) do |name, plan|
      variant = VARIANTS.fetch(name)
      run = variant.merge(requests: requests.map do |verb, path, options|
        [verb, path, { "watched" => variant[:watched] }.merge(options || {})]
      end)
      { stock: false, dropin: true }.each { |side, frugal| plan[:"#{side}_#{name}"] = run.merge(frugal: frugal) }
    end
  end

  # @return [Array<Array>] for each request the variant, the request, what was observed of stock, and with the drop-in
  def self.compare(requests, variants: VARIANTS.keys, **options)
    plan = plan(requests, *variants)
    seen = plan.keys.zip(see(plan.values, **options)).to_h
    variants.flat_map do |name|
      requests.zip(seen[:"stock_#{name}"], seen[:"dropin_#{name}"]).map { |request, *both| [name, request, *both] }
    end
  end
end
