# frozen_string_literal: true

require_relative "loader"
require_relative "error"

begin
  require "rack/version"
  require "rack/utils"
  require "rack/mime"
rescue LoadError
  raise Frugal::UsageError, "Frugal::Files needs the gem rack, which is not installed: " \
                            "add gem \"rack\" to the Gemfile, or gem install rack"
end

require_relative "http/files"
