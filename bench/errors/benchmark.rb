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

      private

      def measure_all
        @inside, @wire = [INSIDE, WIRE].map { |slices| slices.fetch(quick?) }
        @answers = {}
        look_for_wrk
        chosen(Cases::ALL).each { |subject| measure(subject) }
        raising if @options[:only].include?(Cases::RAISING)
      end

      def stop = @applications&.each_value(&:stop)

      def look_for_wrk
        @wrk = Bench::Wrk.version
        @notes << (@wrk || "nothing was measured on the wire: wrk is not installed (apt-get install wrk)")
      end

      # All variants run at the same time; the others are idle while one is measured.
      def measure(subject)
        rows = @results.add(subject, subject.ways.map { |way| Row.new(subject, way) })
        boot(subject)
        rows.each { |row| attempt(row) { check(subject, row) } }
        # rubocop:disable-next Style/CombinableLoops -- all are checked before the first is warmed up
        rows.each { |row| attempt(row) { warm_up(subject, row) } }
        rounds(rows) { |row, round| time(subject, row, round) }
      ensure
        stop
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
        @results.remove_variant(subject, variant)
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
        say(row, "warming up")
        application(row).inside(row.way.path, @inside)
        application(row).wire(row.way.path, WARM_UP) if @wrk && subject.wire && !quick?
      end

      # Stores the samples, and returns nil.
      def time(subject, row, round)
        row[:inside][round], row.objects = application(row).inside(row.way.path, @inside)
        return unless @wrk && subject.wire

        row[:wire][round], load, connections = application(row).wire(row.way.path, @wire)
        row[:rates][round] = load.rate
        row.traffic.add(load, connections)
        expected = row.way.page? ? 0 : load.requests
        raise Bench::Died, "#{load.failures} of #{load.requests} answers were errors" unless load.failures == expected
      end

      # Measures raising alone. The variables that make Frugal.halt raise with a trace are unset.
      def raising
        TRACES.each { |name| ENV.delete(name) }
        @results.raising = Raising.new(quick: quick?)
        @options[:rounds].times do |round|
          @progress.call("raising, round #{round + 1} of #{@options[:rounds]}")
          @results.raising.run(round)
        end
      end

      def application(row) = @applications.fetch(row.way.variant)
    end
  end
end
