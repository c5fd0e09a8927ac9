# frozen_string_literal: true

# Requires: rack/mock

require "frugal/files"

app = Frugal::Rack::Responder.new(->(_env) { Frugal.halt(404) })
Rack::MockRequest.new(app).get("/").status == 404 or abort "not a 404"
Dir.mkdir("public")
File.write("public/a", "text")
Rack::MockRequest.new(Frugal::Files.new("public")).get("/a").body == "text" or abort "the file is not there"
