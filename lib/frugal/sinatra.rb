# frozen_string_literal: true

# Turns on the drop-in for Sinatra, for each application of Sinatra::Base, and makes Frugal.halt work
# in them, even if the drop-in is off:
#
#   require "frugal/sinatra"
#
# The log shows the backtrace of the first error of each raise site, then of every thousandth;
# <tt>set :frugal_trace_every, 1</tt> shows all of them.
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
