# frozen_string_literal: true

require_relative "../../http/halted"

module Frugal
  module Dropin
    module Sinatra
      # Answers Frugal.halt as Sinatra answers its own +halt+: nothing is logged, the error block of the
      # status makes the body, and after filters run. It is prepended even if the drop-in is off, because
      # applications rely on it.
      module Halts
        class << self
          # @return [void]
          def install
            ::Sinatra::Base.prepend(self) unless ::Sinatra::Base.frozen?
          end
        end

        private

        def handle_exception!(boom)
          return super unless HTTPError === boom && HTTP::Halted.answer?(boom)

          begin
            typed = !response["content-type"].nil?
            answer = HTTP::Halted.response(@env, boom, typed: typed, handler: frugal_block?(boom.status))
          rescue ArgumentError => e
            return super(e) # a subclass of HTTPError has a body or headers that cannot be sent
          end
          @params = @params.merge(@env["sinatra.error.params"]) if @env["sinatra.error.params"]
          answer
        end

        def frugal_block?(status)
          base = settings
          while base.respond_to?(:errors)
            return true if base.errors[status]

            base = base.superclass
          end
          false
        end
      end
    end
  end
end
