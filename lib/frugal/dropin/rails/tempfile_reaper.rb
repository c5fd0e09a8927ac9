# frozen_string_literal: true

module Frugal
  module Dropin
    module Rails
      # Patches Rack::TempfileReaper of Rack 3, which closes the files of an upload: after an
      # exception it closes them in `ensure` (see {Reraise}).
      module TempfileReaper
        def call(env)
          return frugal_stock_call(env) if $!

          env[::Rack::RACK_TEMPFILES] ||= []
          begin
            _, _, body = response = @app.call(env)
          ensure
            if $!
              env[::Rack::RACK_TEMPFILES]&.each(&:close!)
              raise $! if Reraise.another?($!)
            end
          end
          response[2] = ::Rack::BodyProxy.new(body) { env[::Rack::RACK_TEMPFILES]&.each(&:close!) }
          response
        end
      end
    end
  end
end
