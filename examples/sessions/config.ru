# frozen_string_literal: true

# A Rack application: counts the visits of each browser.
#
#   puma -C puma.rb              # two processes; or: rackup
#   curl -b cookies -c cookies http://127.0.0.1:9292/
require "rack/session/frugal"
require_relative "store"

use Rack::Session::Frugal, key: "_visits", expire_after: 86_400, **SESSIONS

run lambda { |env|
  session = env["rack.session"]
  text = case env["PATH_INFO"]
         when "/" then "visit #{session["visits"] = session["visits"].to_i + 1}"
         when "/seen" then "#{session["visits"].to_i} visits" # only reads, so nothing is written
         when "/leave" then session.destroy && "bye"
         end
  text ? [200, { "content-type" => "text/plain" }, ["#{text}, process #{Process.pid}\n"]] : [404, {}, []]
}
