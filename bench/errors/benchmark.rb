# frozen_string_literal: true

require_relative "application"
require_relative "results"
require_relative "vibe"
require_relative "../support/run"

module Frugal
  module ErrorsBench
    # Boots the applications and measures them. In each round, each way to answer is
    # requested for a slice of time inside of its process and, if wrk is installed, for
    # another one over connections ("on the wire").
    class Benchmark < Bench::Run
      INSIDE = { false => 0.05, true => 0.0005 }.freeze # seconds, by quick
      WIRE = { false => 0.4, true => 0.02 }.freeze
      WARM_UP = 0.1 # seconds on the wire
      TRACES = %w[FRUGAL_TRACE RACK_ENV].freeze

      # @return [Results]
      attr_reader :results

      # @param options [Hash] the parsed options of the command line
      def initialize(options)
        super("errors", options)
        @inside = INSIDE.fetch(options[:quick])
        @wire = WIRE.fetch(options[:quick])
        @results = Results.new(quick: options[:quick])
        @answers = {}
      end

      # @return [self]
      def run
        in_folder do
          look_for_wrk
          chosen = Cases::ALL.select { |subject| @options[:only].include?(subject.name) }
          chosen.each { |subject| measure(subject) }
          raising if @options[:only].include?(Cases::RAISING)
        end
        self
      end

      private

      # Stops the applications before their folder is removed.
      def leave
        @applications&.each_value(&:stop)
        super
      end

      def look_for_wrk
        @wrk = Bench::Wrk.version
        @notes << (@wrk || "nothing was measured on the wire: wrk is not installed (apt-get install wrk)")
      end

      # All variants run at the same time; the others are idle while one is measured.
      def measure(subject)
        @results.add(subject)
        boot(subject)
        rows = @results.rows(subject)
        rows.each { |row| attempt(subject, row) { check(subject, row) } }
        # rubocop:disable-next Style/CombinableLoops -- all are checked before the first is warmed up
        rows.each { |row| attempt(subject, row) { warm_up(subject, row) } }
        @options[:rounds].times do |round|
          rotate(rows, round).each do |row|
            say(subject, row, "round #{round + 1} of #{@options[:rounds]}")
            attempt(subject, row) { time(subject, row, round) }
          end
        end
      ensure
        @applications.each_value(&:stop)
      end

      def boot(subject)
        @progress.call("#{subject.name}: booting")
        server = File.directory?(subject.app) ? Vibe : Application
        @applications = subject.variants.to_h do |variant|
          [variant, server.new(subject.app, variant, File.join(@folder, subject.name, variant.gsub(/\W+/, "-")))]
        end
        @applications.each { |variant, application| booted(subject, variant, application) }
      end

      def booted(subject, variant, application)
        @notes |= application.booted.versions.map { |name, version| "#{name} #{version}" }
      rescue Bench::Missing => e
        @results.remove(subject, variant)
        hint = " (bin/setup --webs)" if e.message.match?(%r{\Acannot load such file -- (?!.*frugal/)})
        @notes |= ["#{[subject.name, variant].uniq.join(", ")} is not measured: #{e.message}#{hint}"]
      rescue Bench::Died => e
        @results.rows(subject).each { |row| row.death = cause(e) if row.way.variant == variant }
        @notes |= ["#{subject.name}, #{variant} dies: #{e.message}"]
      end

      # @raise [Bench::Died] if the answer is not the expected one
      def check(subject, row)
        answer = application(row).get(row.way.path)
        status = answer[%r{\AHTTP/1\.1 (\d+)}, 1].to_i
        status == row.way.status or raise Bench::Died, "answers #{status} instead of #{row.way.status}"
        return if row.way.page? || !subject.same

        (@answers[row.way.variant] ||= answer) == answer or raise Bench::Died, "the bytes of the answer differ"
      end

      def warm_up(subject, row)
        say(subject, row, "warming up")
        application(row).inside(row.way.path, @inside)
        application(row).wire(row.way.path, WARM_UP) if @wrk && subject.wire && !@options[:quick]
      end

      def time(subject, row, round)
        row.inside.times[round], row.objects = application(row).inside(row.way.path, @inside)
        return unless @wrk && subject.wire

        row.wire.times[round], load, connections = application(row).wire(row.way.path, @wire)
        row.rates.times[round] = load.rate
        row.traffic.add(load, connections)
        expected = row.way.page? ? 0 : load.requests
        load.failures == expected or raise Bench::Died, "#{load.failures} of #{load.requests} answers were errors"
      end

      # Measures raising alone. The variables that make Frugal.halt raise with a trace are unset.
      def raising
        TRACES.each { |name| ENV.delete(name) }
        @results.raising = Raising.new(quick: @options[:quick])
        @options[:rounds].times do |round|
          @progress.call("raising, round #{round + 1} of #{@options[:rounds]}")
          @results.raising.run(round)
        end
      end

      def application(row) = @applications.fetch(row.way.variant)

      def attempt(subject, row)
        yield unless row.death
      rescue Bench::Died => e
        row.death = cause(e)
        @notes |= ["#{subject.name}, #{row.label} dies: #{e.message}"]
      end

      # @return [String] the name of an exception, if the message starts with one
      def cause(error) = error.message[/\A[A-Z][\w:]*(?=: )/] || error.message

      def say(subject, row, step) = @progress.call("#{subject.name}, #{step}, #{row.label}")
    end
  end
end
