# frozen_string_literal: true

module Frugal
  module Dropin
    module Sinatra
      # Patches Sinatra::Base. If a subclass, an extension or an instance overrides
      # +process_route+, it is called for every route, as with stock.
      module Base
        # A module that no object includes, so that a rescue of it rescues nothing.
        NOTHING = Module.new.freeze
        # An exception may override equal?.
        SAME = ::BasicObject.instance_method(:equal?)
        private_constant :NOTHING, :SAME

        private

        # Tries the routes that can match, if the index can list them, else all.
        def route!(base = settings, pass_block = nil)
          routes = base.routes[@request.request_method]
          pass_block = frugal_try_routes(routes, pass_block) if routes
          return route!(base.superclass, pass_block) if base.superclass.respond_to?(:routes)

          route_eval(&pass_block) if pass_block
          route_missing
        end

        # Does what stock's method does, but an error is not rescued and raised again, because that would
        # render its backtrace as strings.
        def process_route(pattern, conditions, block = nil, values = [])
          route = @request.path_info
          route = "/" if route.empty? && !settings.empty_path_info?
          route = route[0..-2] if !settings.strict_paths? && route != "/" && route.end_with?("/")
          unless OwnFailure.or_else(false) { Dropin::Sinatra.matches_all?(pattern, route) }
            return unless (params = pattern.params(route))

            values += frugal_captures(pattern, params, route)
          end
          catch(:pass) do
            conditions.each { |condition| throw :pass if condition.bind(self).call == false }
            block ? block[self, values] : yield(self, values)
          end
        rescue frugal_passing # called for each error; it returns a module that no error includes
          nil
        ensure
          params&.each_key { |name| @params.delete(name) } unless @env["sinatra.error.params"]
        end

        # Called while an error passes through process_route. Stock raises the error again, which calls its
        # `exception`. If `exception` returns another error, that one is raised here, too.
        def frugal_passing
          if ::StandardError === (error = $!)
            @env["sinatra.error.params"] = @params
            raise error unless SAME.bind_call(error, error.exception)
          end
          NOTHING
        end

        # Logs an error with its backtrace or without it: see {Sinatra.log_trace?}.
        def dump_errors!(boom)
          or_stock { !Dropin::Sinatra.log_trace?(boom, settings) }
          line = if ::NameError === boom
                   frugal_with_short_inspect { Dropin::Sinatra.line(boom) }
                 else
                   Dropin::Sinatra.line(boom)
                 end
          @env["rack.errors"].puts("#{Time.now.strftime("%Y-%m-%d %H:%M:%S")} - #{boom.class} - #{line}")
        end

        def frugal_captures(pattern, params, route)
          params.delete("ignore")
          force_encoding(params)
          @params = @params.merge(params) { |_, old, new| new || old } if params.any?
          return params.values.flatten unless frugal_regular?(pattern)

          captures = pattern.match(route).captures.map do |capture|
            ::Sinatra::Base::URI_INSTANCE.unescape(capture) if capture
          end
          @params[:captures] = force_encoding(captures) unless captures.empty?
          captures
        end

        # Whether a regular expression of the program is a part of the pattern.
        def frugal_regular?(pattern)
          ::Mustermann::Regular === pattern ||
            (pattern.respond_to?(:patterns) && pattern.patterns.any?(::Mustermann::Regular))
        end

        # @return [Proc, nil] the last block that was given to `pass`
        def frugal_try_routes(routes, pass_block)
          path = @request.path_info.dup
          index, candidates = OwnFailure.or_else(nil) { Dropin::Sinatra.candidates(self, routes, path) }
          return frugal_try_all(routes, 0, pass_block) unless candidates

          candidates.each do |place|
            valid = true
            pass_block = frugal_try(routes[place], pass_block) { valid = false }
            # The application's code may have changed the routes or the path.
            return frugal_try_all(routes, place + 1, pass_block) unless valid || frugal_same?(index, routes, path)
          end
          # Stock does this before it tries each of the skipped routes.
          response.delete_header("content-type") unless @pinned_response || candidates.last == routes.size - 1
          pass_block
        end

        # Tries the routes from this place on, also those that are added meanwhile.
        def frugal_try_all(routes, place, pass_block)
          while place < routes.size
            pass_block = frugal_try(routes[place], pass_block) { nil }
            place += 1
          end
          pass_block
        end

        # Tries one route. Calls its block before code of the application may run.
        def frugal_try((pattern, conditions, block), pass_block)
          response.delete_header("content-type") unless @pinned_response
          yield unless conditions.empty? && OwnFailure.or_else(false) { Dropin::Sinatra.mustermanns_own?(pattern) }
          passed = process_route(pattern, conditions) do |*args|
            yield
            env["sinatra.route"] = "#{@request.request_method} #{pattern}"
            route_eval { block[*args] }
          end
          passed || pass_block
        end

        def frugal_same?(index, routes, path)
          path == @request.path_info &&
            OwnFailure.or_else(false) { index.of?(routes) && Dropin::Sinatra.skip_routes?(self) }
        end
      end
    end
  end
end
