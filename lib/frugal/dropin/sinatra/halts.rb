# frozen_string_literal: true

require_relative "../../http/error"
require_relative "../../http/error_page"

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
            ::Sinatra::Base.prepend(self)
          end
        end

        private

        def handle_exception!(boom)
          return super unless HTTPError === boom

          @params = @params.merge(@env["sinatra.error.params"]) if @env["sinatra.error.params"]
          return [boom.status, HTTP::Headers.for_rack(boom.headers.transform_keys(&:downcase)), ""] if boom.body.nil? && frugal_block?(boom.status)

          status, headers, body = HTTP::ErrorPage.response(@env, boom.status, boom.body, boom.headers)
          keep = boom.body && response["content-type"] && boom.headers.none? { |name, _| name.casecmp?("content-type") }
          [status, keep ? headers.reject { |name, _| name.casecmp?("content-type") } : headers, body]
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
