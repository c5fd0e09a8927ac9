# frozen_string_literal: true

require_relative "../support/program"
require "frugal"
require "frugal/rack"
require "frugal/session"
require "frugal/store"
include CostProgram # rubocop:disable Style/MixinUsage

SESSION = { "user_id" => 4711, "user_name" => "Ada Lovelace", "flash" => { "notice" => "Your order was saved." }, "visits" => 1 }.freeze
Dir.mkdir("tree")
100.times { |number| File.write("tree/#{number}.rb", "") }
STORE = Frugal::Store.new("store")
STORE.transaction { |roots| 100.times { |number| roots["root #{number}"] = SESSION } }
BACKEND = Frugal::Session::FileBackend.new("sessions", lifetime: 86_400)
SERIALIZER = Frugal::Session::Serializer.new
IDS = Array.new(100) { |number| format("%064x", number) }
IDS.each { |id| BACKEND.create(id, SERIALIZER.dump(SESSION, id), SERIALIZER.number, 86_400) }
sleep 0.05 # until the times of the files can show another change
APP = Frugal::Rack::Responder.new(->(_env) { Frugal.halt(404) })

# What the middleware does in a request.
def visit(id, visits = nil)
  stored = BACKEND.load(id, true) { |*event| raise event.inspect }
  session = SERIALIZER.load(stored.bytes, stored.format, id)
  session["visits"] = visits if visits
  bytes = SERIALIZER.dump(session, id)
  BACKEND.commit(stored, bytes, SERIALIZER.number, 86_400) { raise "changed meanwhile" } unless bytes == stored.bytes
  BACKEND.release(stored)
end

# Some calls before may load files.
def repeat(count, name, &call)
  measure("#{count} × #{name}") do
    3.times(&call)
    sleep 0.05 until Thread.list.one? # the first change sweeps expired sessions
    -> { count.times(&call) }
  end
end

apart do
  repeat(1_000, "Frugal.mtime") { Frugal.mtime("tree/1.rb") }
  repeat(1_000, "Frugal.mtime, a miss") { Frugal.mtime("tree/missing") }
  repeat(10, "Frugal.walk of 100 files") { Frugal.walk("tree").to_a }
  repeat(200, "Store, read") { |number| STORE.transaction(true) { |roots| roots["root #{number % 100}"] } }
  repeat(200, "Store, write of a change") { |number| STORE.transaction { |roots| roots["root 1"] = number } }
  repeat(100, "session, unchanged") { |number| visit(IDS[number]) }
  repeat(100, "session, changed") { |number| visit(IDS[number], 1_000 + number) }
  repeat(200, "halt in Rack") { APP.call({ "REQUEST_METHOD" => "GET", "PATH_INFO" => "/", "rack.errors" => $stderr }) }
end
