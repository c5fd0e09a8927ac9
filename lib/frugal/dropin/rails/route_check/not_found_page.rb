# frozen_string_literal: true

module Frugal
  module Dropin
    module Rails
      # The 404 response, as stock's exceptions application makes it. It is made once for each verb, Accept header
      # and locale, and made again after its file has changed.
      class NotFoundPage
        LIMIT = 128 # responses that are kept
        # The keys of the environment that the exceptions application reads.
        ENV_KEYS = %w[HTTP_ACCEPT REQUEST_METHOD rack.input rack.errors SERVER_NAME SERVER_PORT HTTP_HOST
                      rack.url_scheme].freeze
        LONGEST = 1024 # bytes of an Accept header
        private_constant :ENV_KEYS, :LONGEST

        # @param folder [String] of the error pages
        def initialize(folder)
          @folder = folder
          @exceptions_app = ::ActionDispatch::PublicExceptions.new(folder)
          @answers = {}
          @lock = ::Mutex.new
        end

        # @param env [Hash] the Rack environment
        # @return [Array, nil] status, headers, body; nil if stock must answer, because there is no such page
        # *Cost*: one +stat+, of the page of the locale; one more where there is only the page of all locales.
        def answer(env)
          return if (accept = env["HTTP_ACCEPT"]) && (accept.bytesize > LONGEST || !accept.ascii_only?)

          key = "#{env["REQUEST_METHOD"]} #{::I18n.locale} #{env["HTTP_ACCEPT"]}"
          stats = self.stats
          answer, before = @answers[key]
          answer = make(env, key, stats) or return unless answer && same?(before, stats)

          status, headers, body = answer
          [status, headers.dup, [body]]
        rescue ::SystemCallError, ::ActionDispatch::Http::MimeNegotiation::InvalidType
          nil
        end

        private

        # @return [Array<File::Stat, nil>] of the page of the locale; if there is none, also of the page of all locales
        def stats
          own = Native.engine.stat("#{@folder}/404.#{::I18n.locale}.html")
          own ? [own] : [nil, Native.engine.stat("#{@folder}/404.html")]
        end

        def same?(before, stats)
          one, other = before.last, stats.last
          before.size == stats.size && (one.nil? || other.nil? ? one.equal?(other) : Unchanged.same?(one, other))
        end

        def make(env, key, stats)
          status, headers, body = call_exceptions_app(env)
          return if status != 404 || headers[X_CASCADE] || !body.is_a?(::Array)

          answer = [status, headers, body.join.freeze]
          return answer if stats.last && ::Time.now - stats.last.mtime < PublicNames::UNSURE

          @lock.synchronize do
            @answers.clear if @answers.size >= LIMIT
            @answers = @answers.merge(key => [answer, stats])
          end
          answer
        end

        def call_exceptions_app(env)
          request = env.slice(*ENV_KEYS)
          request.update("action_dispatch.original_request_method" => env["REQUEST_METHOD"], "REQUEST_METHOD" => "GET",
                         "PATH_INFO" => "/404", "SCRIPT_NAME" => "", "QUERY_STRING" => "")
          ::ActionDispatch::Request.new(request).formats
          @exceptions_app.call(request)
        end
      end
    end
  end
end
