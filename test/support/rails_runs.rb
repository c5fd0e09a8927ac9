# frozen_string_literal: true

require_relative "web_gems"
require_relative "subprocess"
require_relative "rails_app/requests"

# Runs of the small Rails application in test/support/rails_app.rb, stock and with the drop-in.
module RailsRuns
  SHOW = "ActionDispatch::ShowExceptions"
  DEBUG = "ActionDispatch::DebugExceptions"
  GEMS = %w[railties actionpack actionview activesupport activemodel activerecord].freeze
  # What makes one application differ from another.
  VARIANTS = {
    quiet: {}, watched: { watched: true, tags: true }, between: { between: [[SHOW, "outer"], [DEBUG, "inner"]] },
    inside: { watched: true, between: [[DEBUG, "inner"]] }, outside: { between: [["Rails::Rack::Logger", "outside"]], log_level: "debug" }
  }.freeze

  # @return [Array<String>] such as "7.2.4", oldest first
  def self.versions = WebGems.versions("railties")

  # @param plan [Array<Hash>] see test/support/rails_app.rb
  # @param rails [String] its version
  # @return [Array<Array<Hash>>] for each run what was seen of each request
  def self.see(plan, rails: versions.last, env: {})
    rack = rails < "7.1" ? { "rack" => "2.2.17" } : {}
    options = WebGems.options(GEMS.to_h { |gem| [gem, rails] }.merge(rack))
    plan = plan.map { |run| { "lib" => Subprocess::LIB }.merge(run.transform_keys(&:to_s)) }
    IO.popen([WebGems::ENVIRONMENT.merge(env), Subprocess::RUBY, "-W0", *options, "#{__dir__}/rails_app.rb"], "r+b") do |child|
      child.write(Marshal.dump(plan))
      child.close_write
      Marshal.load(child.read)
    end
  end

  # @return [Array] each: variant, request, what was seen of stock, what was seen of ours
  def self.compare(requests, variants: VARIANTS, **options)
    asked = variants.transform_values do |variant|
      requests.map { |verb, path, settings| [verb, path, { "watched" => variant[:watched] }.merge(settings || {})] }
    end
    runs = variants.flat_map { |name, variant| [false, true].map { |ours| variant.merge(frugal: ours, requests: asked.fetch(name)) } }
    seen = see(runs, **options)
    variants.keys.each_with_index.flat_map do |name, index|
      requests.zip(seen[2 * index], seen[2 * index + 1]).map { |request, stock, ours| [name, request, stock, ours] }
    end
  end
end
