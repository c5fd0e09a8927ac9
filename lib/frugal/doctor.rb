# frozen_string_literal: true

require "rbconfig"
require_relative "version"
require_relative "native"
require_relative "dropin"
require_relative "doctor/launcher_cost"

module Frugal
  # What works here and what does not, as values.
  #
  #   Frugal::Doctor.new.diagnosis[:verdict]   # => "All drop-ins work here: rake."
  class Doctor
    # Loads each upstream and its drop-in into this process: only what was
    # really installed is called on.
    #
    # @return [Hash{Symbol => Object}] verdict, healthy, engine, ruby, frugal,
    #   drop_ins, launcher (milliseconds, system_calls), strace, next
    # Cost: a second, most of it for the launcher's own cost.
    def diagnosis
      launcher = LauncherCost.new
      { verdict: verdict, healthy: idle.empty?, engine: engine, ruby: RUBY_DESCRIPTION, frugal: VERSION,
        drop_ins: drop_ins, launcher: launcher.to_h, strace: launcher.strace, next: next_step }
    end

    private

    def verdict
      return "All drop-ins work here: #{working.map { |drop_in| drop_in[:name] }.join(", ")}." if idle.empty?

      "Not all drop-ins work here: #{idle.map { |drop_in| "#{drop_in[:name]} is not on" }.join(", ")}."
    end

    def working = drop_ins.select { |drop_in| drop_in[:state] == :on }

    # A library that few machines need is not missed where it is not installed.
    def idle
      (drop_ins - working).reject { |drop_in| drop_in[:state] == :waiting && Dropin::CATALOGUE.fetch(drop_in[:name]).optional? }
    end

    def drop_ins
      @drop_ins ||= Dropin::CATALOGUE.each_value.map { |entry| examine(entry) }
    end

    def examine(entry)
      missing = load_upstream(entry)
      Dropin.enable(entry.name)
      status = Dropin.status.find { |one| one.name == entry.name }
      status.to_h.merge(reason: missing || (entry.switch && status.state == :waiting ? by_gemfile(entry) : status.reason))
    end

    # Only the application knows.
    def by_gemfile(entry)
      "by gem \"frugal\", require: \"#{entry.switch}\" in a Gemfile; whether it is on, FRUGAL_VERBOSE=1 says there"
    end

    def load_upstream(entry)
      entry.loads.each { |feature| require feature }
      nil
    rescue LoadError => error
      "its library is not installed (#{error.message.lines.first.to_s.chomp})"
    rescue StandardError => error
      "its library cannot be loaded (#{error.message.lines.first.to_s.chomp})"
    end

    def engine
      why = if Native.engine_name == :c then "compiled for #{Native::ABI}"
            elsif ENV["FRUGAL_ENGINE"] == "pure" then "FRUGAL_ENGINE=pure"
            elsif RUBY_ENGINE != "ruby" then "#{RUBY_ENGINE} has no C extension"
            else "no library for #{Native::ABI}"
            end
      { name: Native.engine_name, why: why }
    end

    def next_step
      if Native.engine_name == :pure && ENV["FRUGAL_ENGINE"] != "pure" && RUBY_ENGINE == "ruby"
        "compile the library: bin/setup in a checkout, gem pristine frugal for a gem"
      elsif (off = idle.find { |drop_in| drop_in[:state] == :off })
        "unset what turns #{off[:name]} off: #{off[:reason]}"
      elsif idle.any? { |drop_in| drop_in[:state] == :waiting }
        "gem install #{idle.first[:name]}"
      else
        "frugal compare -- rake"
      end
    end
  end
end
