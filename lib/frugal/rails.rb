# frozen_string_literal: true

# The switch of the Rails drop-in, for a Gemfile, where the line comes after Rails' own:
#
#   gem "frugal", require: "frugal/rails"
#
#   config.frugal.trace_every = 1000     # in the log, after the first: each 1000th trace of a raise site
#   config.frugal.route_check = true     # refuse what nothing answers before any middleware is asked
require_relative "../frugal"

begin
  require "rails/railtie"
rescue LoadError => error
  raise Frugal::UsageError, "frugal/rails is for a Rails application, and there is no Rails here: " \
                            "put `gem \"rails\"` above `gem \"frugal\", require: \"frugal/rails\"` in the Gemfile (#{error.message})"
end

require_relative "dropin/rails/railtie"
