# frozen_string_literal: true

# Asks Sprockets for a compiled file again and again, as a development server does: it looks whether one of its 100
# parts has changed. Stock asks whether a part exists, then for its attributes; the change asks once, with a probe.
require "frugal"
require "logger"
require "sprockets"

side = ARGV.fetch(0)
size = ARGV.fetch(1).to_i
if side == "prepare"
  Dir.mkdir("assets")
  100.times { |number| File.write("assets/part#{number}.js", "var v#{number};\n") }
  File.write("assets/app.js", 100.times.map { |number| "//= require ./part#{number}\n" }.join)
  return
end

if side == "changed"
  Sprockets::PathUtils.module_eval do
    def stat(path) = Frugal.stat(path.to_s)
  end
end
environment = Sprockets::Environment.new(Dir.pwd)
environment.append_path("assets")
(size / 100).times { environment.find_asset("app.js") }
