# frozen_string_literal: true

# Requests in development with Rack::Reloader, which looks for each loaded file. For those without a folder, such as
# thread.rb, it tries the whole load path. Stock rescues the error of File.stat; the change uses a probe.
require "frugal"
require "action_controller"
require "rack"
require "rack/reloader"

side = ARGV.fetch(0)
size = ARGV.fetch(1).to_i
return if side == "prepare"

if side == "changed"
  Rack::Reloader::Stat.module_eval do
    def safe_stat(file)
      stat = file && Frugal.stat(file)
      return file, stat if stat&.file?

      @cache.delete(file) && false
    end
  end
end
app = Rack::Reloader.new(->(_env) { [200, {}, []] }, -1)
stack = 20.times.inject(app) { |inner, _| Rack::Head.new(inner) }
size.times { stack.call("REQUEST_METHOD" => "GET") }
