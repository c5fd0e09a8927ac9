# frozen_string_literal: true

# A Rack application with the sessions of SESSIONS_BENCH (pstore, files, redis, pool or cookies), which are in
# SESSIONS_BENCH_PLACE. /unchanged reads the session, /changed changes it, and /start makes one, for cookies.
require "rack/session/abstract/id"
require_relative "../contents"

kind, place = ENV.values_at("SESSIONS_BENCH", "SESSIONS_BENCH_PLACE")
contents = Frugal::SessionsBench::Contents

case kind
when "pstore"
  require_relative "../pstore_sessions"
  class PStoreStore < Rack::Session::Abstract::PersistedSecure
    include Frugal::SessionsBench::PStoreSessions
  end
  use PStoreStore, dir: place
when "cookies"
  require "rack/session/cookie"
  use Rack::Session::Cookie, secrets: "s" * 64
when "pool"
  require "rack/session/pool"
  filled = ENV.fetch("SESSIONS_BENCH_COUNT").to_i.times.to_h do |number|
    [contents.private_id(number), contents.session(number, contents::LARGE)]
  end
  use(Class.new(Rack::Session::Pool) { define_method(:initialize) { |*arguments| super(*arguments) && pool.update(filled) } })
else
  require "rack/session/frugal"
  use Rack::Session::Frugal, (kind == "files" ? :dir : :redis) => place
end

run lambda { |env|
  session = env["rack.session"]
  case env["PATH_INFO"]
  when "/changed" then session["n"] += 1
  when "/start" then session.update(contents.session(0, contents::LARGE))
  end
  [200, { "content-type" => "text/plain" }, ["user #{session["user_id"]}, #{session["n"]}\n"]]
}
