# frozen_string_literal: true

module Frugal
  module Dropin
    module Rails
      # Patches ActionDispatch::PublicExceptions: it reads the error page at once, where stock first
      # checks that the file exists.
      module PublicExceptions
        private

        def render_html(status)
          internal = ::Encoding.default_internal
          external = ::Encoding.default_external
          return frugal_stock_render_html(status) unless internal.nil? || internal == external

          page = or_stock { frugal_page(status) }
          render_format(status, "text/html", page.force_encoding(external))
        end

        # @return [String, nil] nil if stock has to report that there is no page
        def frugal_page(status)
          engine = Native.engine
          path = "#{public_path}/#{status}"
          engine.binread("#{path}.#{::I18n.locale}.html") || engine.binread("#{path}.html")
        rescue ::SystemCallError
          nil
        end
      end
    end
  end
end
