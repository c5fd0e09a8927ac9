# frozen_string_literal: true

# Boots a Rails application and writes the state of frugal in it as JSON: see application.rb.
#
#   ruby inside.rb config/environment.rb 3>answer

answer = IO.for_fd(3, "w")
answer.close_on_exec = true
require File.expand_path(ARGV.shift)
require "json"
drop_ins = Frugal::Dropin.status.map(&:to_h) if defined?(Frugal::Dropin)
errors_shown = Rails.application.config.consider_all_requests_local ? true : false
answer.write(JSON.generate(rails: Rails.version, environment: Rails.env.to_s, errors_shown: errors_shown,
                           drop_ins: drop_ins))
answer.close
exit!(0) # skips the application's at_exit handlers
