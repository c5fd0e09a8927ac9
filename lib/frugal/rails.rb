# frozen_string_literal: true

# Turns on the drop-in for Rails. For a Gemfile, below the line for Rails:
#
#   gem "frugal", require: "frugal/rails"
#
#   config.frugal.trace_every = 1000     # log the first backtrace of each raise site, then every 1000th
#   config.frugal.route_check = true     # answer unknown paths with 404 before any middleware is called
require_relative "../frugal"

begin
  require "rails/railtie"
rescue LoadError => e
  raise Frugal::UsageError, "frugal/rails is for a Rails application, but Rails cannot be loaded: " \
                            "put `gem \"rails\"` above `gem \"frugal\", require: \"frugal/rails\"` " \
                            "in the Gemfile (#{e.message})"
end

require_relative "rails/sessions"
require_relative "dropin/rails/railtie"
