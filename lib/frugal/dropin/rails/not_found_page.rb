# frozen_string_literal: true

module Frugal
  module Dropin
    module Rails
      # The answer to a path that is not there, as stock's own exceptions application
      # makes it: made once for each Accept header and locale, and again when its file has changed.
      class NotFoundPage
        LIMIT = 128 # so many answers are kept
        # What the answer depends on.
        ASKED = %w[HTTP_ACCEPT REQUEST_METHOD].freeze
        LONGEST = 1024 # bytes of an Accept header
        private_constant :ASKED, :LONGEST

        # @param folder [String] of the pages
        def initialize(folder)
          @folder = folder
          @exceptions_app = ::ActionDispatch::PublicExceptions.new(folder)
          @answers = {}
          @lock = ::Mutex.new
        end

        # @param env [Hash] Rack's
        # @return [Array, nil] status, headers, body; nil where there is no page, which is for stock to tell
        # Cost: one +stat+, of the page.
        def answer(env)
          return if (accept = env["HTTP_ACCEPT"]) && (accept.bytesize > LONGEST || !accept.ascii_only?)

          key = "#{env["REQUEST_METHOD"]} #{::I18n.locale} #{env["HTTP_ACCEPT"]}"
          answer, file, stat = @answers[key]
          unless answer && same?(stat, file && Native.engine.stat(file))
            answer = make(env, key) or return
          end
          status, headers, body = answer
          [status, headers.dup, [body]]
        rescue ::SystemCallError, ::ActionDispatch::Http::MimeNegotiation::InvalidType
          nil
        end

        private

        def same?(one, other)
          one.nil? ? other.nil? : other && one.mtime == other.mtime && one.size == other.size && one.ino == other.ino
        end

        def make(env, key)
          file = page
          stat = file && Native.engine.stat(file)
          status, headers, body = ask(env)
          return if status != 404 || headers[X_CASCADE] || !body.is_a?(::Array)

          answer = [status, headers, body.join.freeze]
          return answer if stat && ::Time.now - stat.mtime < PublicNames::UNSURE

          @lock.synchronize do
            @answers.clear if @answers.size >= LIMIT
            @answers = @answers.merge(key => [answer, file, stat])
          end
          answer
        end

        def page = ["#{@folder}/404.#{::I18n.locale}.html", "#{@folder}/404.html"].find { |file| Native.engine.stat(file) }

        def ask(env)
          asked = env.slice(*ASKED, "rack.input", "rack.errors", "SERVER_NAME", "SERVER_PORT", "HTTP_HOST", "rack.url_scheme")
          asked.update("action_dispatch.original_request_method" => env["REQUEST_METHOD"], "REQUEST_METHOD" => "GET",
                       "PATH_INFO" => "/404", "SCRIPT_NAME" => "", "QUERY_STRING" => "")
          ::ActionDispatch::Request.new(asked).formats
          @exceptions_app.call(asked)
        end
      end
    end
  end
end
