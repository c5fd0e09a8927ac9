# frozen_string_literal: true

# Answers expected errors in a Rack application:
#
#   require "frugal/rack"
#   use Frugal::Rack::Responder, rescue_responses: { "KeyError" => 404 }
require_relative "http"
require_relative "http/responder"
