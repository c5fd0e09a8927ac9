# frozen_string_literal: true

module SinatraFuzz
  # What the drop-in's log is to show, made of what stock's shows: each error's
  # trace the first time that its place raises it; after that, the line alone.
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
      times = Conversation.places[[boom.class, place ? [place.path, place.lineno] : boom.backtrace.first]] += 1
      times > 1 && times % 1_000 != 0
    end
  end
  Sinatra::Base.prepend(Sampled)
end
