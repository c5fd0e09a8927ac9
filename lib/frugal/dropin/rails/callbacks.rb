# frozen_string_literal: true

module Frugal
  module Dropin
    module Rails
      # Patches ActionDispatch::Callbacks: stock rescues exceptions for its callbacks, and most
      # applications have none (see {Reraise}).
      module Callbacks
        def call(env)
          return frugal_stock_call(env) if $! || !__callbacks[:call].empty?

          begin
            @app.call(env)
          ensure
            raise $! if ::StandardError === $! && Reraise.another?($!)
          end
        end
      end
    end
  end
end
