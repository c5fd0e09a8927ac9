# frozen_string_literal: true

# Requires: rack/mock sinatra/base

app = Class.new(Sinatra::Base) do
  set :environment, :production
  get("/") { "yes" }
end
browser = Rack::MockRequest.new(app)
browser.get("/").body == "yes" or abort "the page is not there"
browser.get("/missing").status == 404 or abort "not a 404"
