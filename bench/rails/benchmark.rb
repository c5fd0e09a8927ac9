# frozen_string_literal: true

require "json"
require "open3"
require "rbconfig"
require_relative "application"
require_relative "results"
require_relative "../support/marked_trace"
require_relative "../support/run"
require_relative "../support/web_gems"

module Frugal
  module RailsBench
    # Boots each side of each application several times, and counts the calls of one request under strace.
    class Benchmark < Bench::Run
      GEMS = %w[railties actionview propshaft].freeze
      WORKER = File.expand_path("worker.rb", __dir__)
      FRUGAL = File.expand_path("../../bin/frugal", __dir__)
      MARKS = ["request", Bench::MarkedTrace::END_MARK].map { |name| Bench::MarkedTrace.mark(name) }.freeze
      REQUESTS = 60
      QUICK = 2
      private_constant :GEMS, :WORKER, :FRUGAL, :MARKS, :REQUESTS, :QUICK

      # @raise [Error] if Rails is not installed
      def run
        raise Error, "Rails and Propshaft are not installed: bin/setup --webs" unless Bench::WebGems.available?(*GEMS)

        super
      end

      private

      def measure_all
        version = Bench::WebGems.versions("railties").grep(/\A7\.2/).last
        @notes << "Rails #{version}, Propshaft #{Bench::WebGems.versions("propshaft").last}"
        @count = count?("system calls were not counted")
        chosen(Cases::ALL).each { |one| measure(one) }
      end

      def measure(one)
        folder = File.join(@folder, one.name)
        Application.new(folder).generate(quick? ? Cases.quick(one) : one)
        samples = samples(one, folder)
        raise Error, "the sides answer differently: #{samples}" unless samples.values.flatten.map { |one| one[:body] }.uniq.one?

        @results.add(one, Cases::SIDES.map { |side| Row.new(one, side, samples[side], calls(folder, side)) })
      end

      # @return [Hash{String => Array<Hash>}] for each side what the worker prints, by round
      def samples(one, folder)
        rounds = Array.new(@options[:rounds]) do |round|
          rotate(Cases::SIDES, round).to_h do |side|
            @progress.call("#{one.title}, #{side}, round #{round + 1}")
            [side, worker(folder, side)]
          end
        end
        Cases::SIDES.to_h { |side| [side, rounds.map { |round| round.fetch(side) }] }
      end

      # @return [Hash{String => Integer}, nil]
      def calls(folder, side)
        return unless @count

        trace = Bench::MarkedTrace.new(File.join(@folder, "strace"))
        worker(folder, side, *trace.prefix)
        trace.counts.fetch("request")
      end

      # @return [Hash{Symbol => Numeric}] what the worker prints
      def worker(folder, side, *prefix)
        command = [RbConfig.ruby, "-W0", *Bench::WebGems.options("rack" => rack, **rails), WORKER, folder, side, (quick? ? QUICK : REQUESTS).to_s, *MARKS]
        command = [FRUGAL, "run", "--", *command] if side == "frugal"
        out, status = Open3.capture2e(Bench::WebGems::ENVIRONMENT.merge("RAILS_ENV" => "development"), *prefix, *command)
        raise Error, "#{side}: #{status}\n#{out}" unless status.success?

        JSON.parse(out.lines.last, symbolize_names: true)
      end

      def rack = Bench::WebGems.versions("rack").last

      # The newest of Rails 7.2, which has `@glob`.
      def rails
        %w[railties actionpack actionview activesupport activemodel activerecord].to_h do |gem|
          [gem, Bench::WebGems.versions(gem).grep(/\A7\.2/).last || Bench::WebGems.versions(gem).last]
        end
      end
    end
  end
end
