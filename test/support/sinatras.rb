# frozen_string_literal: true

require_relative "web_gems"

# The versions of Sinatra that bin/setup --webs has installed, each with the gems that it needs.
#
#   Sinatras.all                  # => ["3.0.6", …, "4.2.1"]
#   Sinatras.options("4.2.1")     # => ["-I…/sinatra-4.2.1/lib", …]
module Sinatras
  class << self
    # @return [Array<String>] oldest first
    def all
      return [] unless WebGems.available?("rack", "mustermann", "tilt", "ruby2_keywords", "rack-session", "base64", "logger")

      WebGems.versions("sinatra") & WebGems.versions("rack-protection")
    end

    # @return [Array<String>] options of Ruby's command line
    def options(version)
      gems = { "sinatra" => version, "rack-protection" => version, "rack" => newest("rack", version < "4" ? "2." : "3."),
               "mustermann" => newest("mustermann", version < "4.2" ? "3.0" : "3."), "tilt" => nil, "ruby2_keywords" => nil, "base64" => nil, "logger" => nil }
      gems["rack-session"] = nil unless version < "4"
      gems.map { |name, wanted| "-I#{wanted ? WebGems.folder(name, wanted) : WebGems.folder(name)}/lib" }
    end

    private

    def newest(name, beginning) = WebGems.versions(name).grep(/\A#{Regexp.escape(beginning)}/).last
  end
end
