# frozen_string_literal: true

module SinatraFuzz
  # Of the errors that one class and line raises, the log shows the first one's trace; whether that of
  # another is shown, too, is a matter of how it came there, which is not the same for stock.
  module Sampled
    private

    def dump_errors!(boom)
      errors = @env["rack.errors"]
      @env["rack.errors"] = whole = StringIO.new
      super
      log = whole.string
      log = log.delete_suffix("\n").delete_suffix(boom.backtrace.map { |line| "\n\t#{line}" }.join) if boom.backtrace && !settings.show_exceptions? && seen?(boom)
      errors.puts(log)
    ensure
      @env["rack.errors"] = errors
    end

    def seen?(boom)
      place = boom.backtrace_locations&.first
      (Conversation.places[[boom.class, place ? [place.path, place.lineno] : boom.backtrace.first]] += 1) > 1
    end
  end
  Sinatra::Base.prepend(Sampled)
end
