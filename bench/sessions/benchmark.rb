# frozen_string_literal: true

require_relative "contents"
require_relative "results"
require_relative "stores"
require_relative "../support/run"

module Frugal
  module SessionsBench
    # Makes the sessions, boots the applications and measures all rivals. In each round, each rival of a case has a slice
    # of time.
    class Benchmark < Bench::Run
      SLICE = { false => 0.1, true => 0.001 }.freeze # seconds, by quick
      WIRE = { false => 1.0, true => 0.05 }.freeze
      ENTRIES = { false => 1000, true => 10 }.freeze # of a cache

      private

      def measure_all
        @stores = Stores.new(@folder)
        @notes.concat(@stores.notes)
        @sizes = Cases.sizes(quick: quick?, largest: @options[:sessions])
        (Cases::NAMES & @options[:only]).each { |name| measure_case(name) }
      end

      def stop
        @servers&.each_value(&:stop)
        @stores&.stop
      end

      def measure_case(name)
        subjects = Cases.subjects(name, @sizes)
        subjects.each do |subject| # without Redis, its rows are left out
          labels = Cases.labels(subject).select { |label| @stores.here?(label) }
          @results.add(subject, labels.map { |label| Row.new(subject, label) })
        end
        subjects.first.application? ? applications(name, subjects) : stores(name, subjects)
      end

      # Warms up each row, and then measures each one in each round.
      #
      # @yieldparam row [Row]
      # @yieldparam seconds [Float]
      # @yieldparam round [Integer]
      # @yieldreturn [Float] seconds of one visit, call or request
      def slices(rows, seconds)
        rows.each { |row| attempt(row) { yield row, seconds / 2, 0 } }
        rounds(rows) { |row, round| yield row, seconds, round }
      end

      def rows(subjects) = subjects.flat_map { |subject| @results.rows(subject) }

      # -- without an application --

      def stores(name, subjects)
        rows(subjects).group_by { |row| [row.label, row.subject.sessions] }.each_value { |same| prepare(same) }
        slices(rows(subjects), SLICE.fetch(quick?)) do |row, seconds|
          arguments = name == "cache" ? [row.subject.action] : [row.subject.sessions || 1, row.subject.action]
          @stores.process(row).call(:time, *arguments, seconds)
        end
        count(subjects) unless name == "growth"
      end

      def prepare(rows)
        say(rows.first, "preparing")
        attempt(*rows) { set_up(@stores.process(rows.first), rows.first, "1") }
      end

      def set_up(process, row, name)
        return fill(row) if row.subject.sessions

        place = @stores.where(row.label, name)
        return process.call(:fill, place, 1, Contents::SMALL) unless row.subject.name == "cache"

        @notes |= ["activesupport #{process.call(:prepare, place, ENTRIES.fetch(quick?))}"]
      end

      # Makes the sessions that growing stores and applications share.
      def fill(row)
        key = [row.label, row.subject.sessions]
        @results.fills[key] ||= begin
          place = @stores.where(row.label, row.subject.sessions)
          @stores.process(row).call(:fill, place, row.subject.sessions, Contents::LARGE)
        end
      end

      def count(subjects)
        rows(subjects).reject { |row| row.death || row.label.match?(/redis/i) }.group_by(&:label).each_value do |same|
          say(same.first, "counting system calls")
          attempt(*same) { @stores.count(same) { |process| set_up(process, same.first, "counted") } }
        end
      end

      # -- applications --

      def applications(name, subjects)
        unless (wrk = Bench::Wrk.version)
          rows(subjects).each { |row| @results.remove(row) }
          return @notes |= ["the applications were not measured: wrk is not installed (apt-get install wrk)"]
        end
        @notes |= [wrk]
        subjects.group_by(&:sessions).each_value { |same| requests(name, same) }
      end

      def requests(name, subjects)
        boot(name, rows(subjects).group_by(&:label))
        slices(rows(subjects), WIRE.fetch(quick?)) do |row, seconds, round|
          cpu, server, load = @servers.fetch(row.label).measure(row.subject.action, seconds, round)
          row[:server][round] = server
          row[:rates][round] = load.rate
          cpu
        end
      ensure
        @servers.each_value(&:stop)
      end

      def boot(name, by_label)
        @servers = {}
        by_label.each { |label, rows| attempt(*rows) { @servers[label] = server(name, rows.first, Cases::APPLICATIONS[name][label]) } }
        # rubocop:disable-next Style/CombinableLoops -- all boot at the same time
        by_label.each { |label, rows| attempt(*rows) { @servers[label].booted } }
      end

      def server(name, row, kind)
        say(row, "making sessions")
        fill(row) if Cases::PLACES.key?(row.label)
        place = @stores.where(row.label, row.subject.sessions) if Cases::PLACES.key?(row.label)
        folder = File.join(@folder, "servers", "#{name}-#{kind}-#{row.subject.sessions}")
        Server.new(name, kind, place, row.subject.sessions, folder, load_path: @stores.load_path,
                                                                    store_pid: (@stores.redis_pid if kind == "redis"))
      end
    end
  end
end
