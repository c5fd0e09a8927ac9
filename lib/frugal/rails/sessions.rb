# frozen_string_literal: true

# Sessions in files for a Rails application. For a Gemfile, below the line for Rails:
#
#   gem "frugal", require: "frugal/rails/sessions"      # or "frugal/rails", which also turns on the drop-in
#
#   config.session_store :frugal_store, key: "_app_session", expire_after: 1.day
require_relative "../error"

begin
  require "action_dispatch"
rescue LoadError => e
  raise Frugal::UsageError, "frugal/rails/sessions is for a Rails application, but Action Pack cannot be loaded: " \
                            "put `gem \"rails\"` above `gem \"frugal\"` in the Gemfile (#{e.message})"
end

# Rails looks the class up by its name when it builds the middleware.
ActionDispatch::Session.autoload(
  :FrugalStore, File.expand_path("../../action_dispatch/middleware/session/frugal_store", __dir__)
)
