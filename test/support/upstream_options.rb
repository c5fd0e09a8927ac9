# frozen_string_literal: true

require_relative "caches"
require_relative "sinatras"

# The options with which a Ruby loads the upstream of a drop-in. Upstreams that belong to Ruby
# need none; bin/setup installs the others into tmp/.
module UpstreamOptions
  GROUPS = %w[dir find fileutils pstore rake active_support sprockets sinatra file_update_checker rails].freeze
  MISSING = "bin/setup --caches --webs"

  # @param group [String] the name of a drop-in
  # @return [Array<String>, nil] options of Ruby's command line; nil if the upstream is not installed
  def self.of(group)
    case group
    when "active_support", "file_update_checker" then Caches.all("activesupport").last&.then { |upstream| Caches.options(upstream) }
    when "sprockets" then Caches.all("sprockets").last&.then { |upstream| Caches.options(upstream) }
    when "sinatra" then Sinatras.all.last&.then { |version| Sinatras.options(version) }
    when "rails" then WebGems.options if WebGems.available?("railties", "actionpack", "rack")
    else []
    end
  end
end
