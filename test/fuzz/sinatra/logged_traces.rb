# frozen_string_literal: true

module SinatraFuzz
  # Removes the backtrace from the log, except for the first error of each class and line. Whether the drop-in
  # logs the backtrace of another one depends on its callers, and stock has other frames there.
  module LoggedTraces
    private

    def dump_errors!(boom)
      errors = @env["rack.errors"]
      @env["rack.errors"] = full = StringIO.new
      super
      log = full.string
      log = without_backtrace(log, boom) if boom.backtrace && !settings.show_exceptions? && seen?(boom)
      errors.puts(log)
    ensure
      @env["rack.errors"] = errors
    end

    def without_backtrace(log, boom)
      log.delete_suffix("\n").delete_suffix(boom.backtrace.map { |line| "\n\t#{line}" }.join)
    end

    def seen?(boom)
      place = boom.backtrace_locations&.first
      (Conversation.places[[boom.class, place ? [place.path, place.lineno] : boom.backtrace.first]] += 1) > 1
    end
  end
  Sinatra::Base.prepend(LoggedTraces)
end
