# frozen_string_literal: true

# The switch of the Sinatra drop-in, for every application of Sinatra::Base, and
# what lets Frugal.halt answer in them, with the drop-in or without:
#
#   require "frugal/sinatra"
#
# The log shows an error's trace the first time that its line raises it, then
# each thousandth: <tt>set :frugal_trace_every, 1</tt> shows each one.
require_relative "../frugal"
require_relative "http"
begin
  require "sinatra/base"
rescue LoadError => e
  raise e unless e.path == "sinatra/base"

  raise LoadError, %(frugal/sinatra needs Sinatra: add gem "sinatra" to the Gemfile)
end

Sinatra::Base.set :frugal_trace_every, 1_000 if Frugal.enable(:sinatra) == :on
require_relative "dropin/sinatra/halts"
Frugal::Dropin::Sinatra::Halts.install
