# frozen_string_literal: true

module Frugal
  module Dropin
    module Sinatra
      # In place of Sinatra::Base's own. What a subclass, an extension or an
      # instance puts before +process_route+ sees every route, as with stock.
      module Base
        # No object is one.
        NOTHING = Module.new.freeze
        # Whatever it answers for itself.
        SAME = ::BasicObject.instance_method(:equal?)
        private_constant :NOTHING, :SAME

        private

        # Asks the routes that can match, where that can be told.
        def route!(base = settings, pass_block = nil)
          routes = base.routes[@request.request_method]
          pass_block = frugal_route(routes, pass_block) if routes
          return route!(base.superclass, pass_block) if base.superclass.respond_to?(:routes)

          route_eval(&pass_block) if pass_block
          route_missing
        end

        # As stock does, but for an error, which goes on its way without being
        # raised anew: that would make its trace of strings.
        def process_route(pattern, conditions, block = nil, values = [])
          route = @request.path_info
          route = "/" if route.empty? && !settings.empty_path_info?
          route = route[0..-2] if !settings.strict_paths? && route != "/" && route.end_with?("/")
          unless frugal_ask_ours(false) { Dropin::Sinatra.always?(pattern, route) }
            return unless (params = pattern.params(route))

            values += frugal_captures(pattern, params, route)
          end
          catch(:pass) do
            conditions.each { |condition| throw :pass if condition.bind(self).call == false }
            block ? block[self, values] : yield(self, values)
          end
        rescue frugal_passing # what that is, is asked of each error; it is none
        ensure
          params&.each_key { |name| @params.delete(name) } unless @env["sinatra.error.params"]
        end

        # Called with an error that is on its way. To raise one again asks it for the
        # one to raise: where that is another, it is raised.
        def frugal_passing
          if ::StandardError === (error = $!)
            @env["sinatra.error.params"] = @params
            raise error unless SAME.bind_call(error, error.exception)
          end
          NOTHING
        end

        # With the whole trace, or the line alone: see {Sinatra.whole?}.
        def dump_errors!(boom)
          return frugal_stock_dump_errors!(boom) if frugal_ask_ours(true) { Dropin::Sinatra.whole?(boom, settings) }

          line = ::NameError === boom ? frugal_in_brief { Dropin::Sinatra.line(boom) } : Dropin::Sinatra.line(boom)
          @env["rack.errors"].puts("#{Time.now.strftime("%Y-%m-%d %H:%M:%S")} - #{boom.class} - #{line}")
        end

        def frugal_captures(pattern, params, route)
          params.delete("ignore")
          force_encoding(params)
          @params = @params.merge(params) { |_, old, new| new || old } if params.any?
          return params.values.flatten unless ::Mustermann::Regular === pattern ||
                                              (pattern.respond_to?(:patterns) && pattern.patterns.any?(::Mustermann::Regular))

          captures = pattern.match(route).captures.map { |capture| ::Sinatra::Base::URI_INSTANCE.unescape(capture) if capture }
          @params[:captures] = force_encoding(captures) unless captures.empty?
          captures
        end

        # @return [Proc, nil] the last that was given to pass
        def frugal_route(routes, pass_block)
          path = @request.path_info.dup
          index, candidates = frugal_ask_ours(nil) { Dropin::Sinatra.candidates(self, routes, path) }
          return frugal_ask(routes, 0, pass_block) unless candidates

          candidates.each do |place|
            known = true
            pass_block = frugal_try(routes[place], pass_block) { known = false }
            # Code of the application may have changed all that we know.
            return frugal_ask(routes, place + 1, pass_block) unless known || frugal_same?(index, routes, path)
          end
          # As before each of those that were not asked.
          response.delete_header("content-type") unless @pinned_response || candidates.last == routes.size - 1
          pass_block
        end

        # Whatever is added meanwhile is asked too.
        def frugal_ask(routes, place, pass_block)
          while place < routes.size
            pass_block = frugal_try(routes[place], pass_block) { nil }
            place += 1
          end
          pass_block
        end

        # Calls its block before code of the application may run.
        def frugal_try((pattern, conditions, block), pass_block)
          response.delete_header("content-type") unless @pinned_response
          yield unless conditions.empty? && frugal_ask_ours(false) { Dropin::Sinatra.plain?(pattern) }
          passed = process_route(pattern, conditions) do |*args|
            yield
            env["sinatra.route"] = "#{@request.request_method} #{pattern}"
            route_eval { block[*args] }
          end
          passed || pass_block
        end

        def frugal_same?(index, routes, path)
          path == @request.path_info && frugal_ask_ours(false) { index.of?(routes) && Dropin::Sinatra.skips?(self) }
        end

        # @param otherwise [Object] the answer where something of ours fails
        def frugal_ask_ours(otherwise)
          yield
        rescue OwnFailure
          otherwise
        end
      end
    end
  end
end
