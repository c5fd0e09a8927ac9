# frozen_string_literal: true

require_relative "../../http/halted"

module Frugal
  module Dropin
    module Sinatra
      # Answers Frugal.halt as Sinatra answers its own +halt+: nothing is logged,
      # the blocks of the status have the last word, and after filters run. No
      # drop-in: applications count on it, so that nothing turns it off.
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
            answer = HTTP::Halted.response(@env, boom, typed: !response["content-type"].nil?, filled: frugal_block?(boom.status))
          rescue ArgumentError => e
            return super(e) # a class of somebody's own has what cannot be sent
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
