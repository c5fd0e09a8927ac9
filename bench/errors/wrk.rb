# frozen_string_literal: true

require "open3"
require_relative "../support/guest_process"

module Frugal
  module ErrorsBench
    # What wrk saw of one URL. +errors+ are those of sockets, +failures+ answers
    # that were neither 2xx nor 3xx.
    Load = Struct.new(:requests, :rate, :errors, :failures, keyword_init: true)

    # As many requests as a server answers, by wrk's one thread, on 16 connections
    # that are kept.
    module Wrk
      CONNECTIONS = 16
      COMMAND = ["wrk", "-t1", "-c#{CONNECTIONS}"].freeze
      TOO_LONG = "-d60s" # it counts whole seconds; an interrupt ends it earlier, with its report
      TRIES = 5
      PAUSE = 0.3 # seconds between two interrupts

      class << self
        # @return [String, nil] such as "wrk 4.1.0"
        def version
          words, = Open3.capture2e("wrk", "-v")
          words[/\Awrk \S+/]
        rescue Errno::ENOENT
          nil
        end

        # @param url [String]
        # @param seconds [Float] a tenth more, at most, as that is how often wrk looks
        # @return [Load]
        # @raise [Bench::Died]
        def run(url, seconds)
          report = attempts { ask(url, seconds) } or raise Bench::Died, "wrk makes no report"
          parse(report)
        end

        private

        # An interrupt that comes before wrk expects it ends it without a word.
        def attempts
          TRIES.times { yield.then { |report| return report unless report.empty? } }
          nil
        end

        # @return [String]
        def ask(url, seconds)
          Open3.popen2e(*COMMAND, TOO_LONG, url) do |input, output, thread|
            input.close
            sleep seconds
            interrupt(thread)
            output.read
          end
        end

        # One that comes before wrk sleeps does not wake it: the next one does.
        def interrupt(thread)
          loop do
            Process.kill(:INT, thread.pid)
            break if thread.join(PAUSE)
          end
        rescue Errno::ESRCH
          nil # it gave up by itself, and says why
        end

        def parse(report)
          requests = report[/^ *(\d+) requests in /, 1] or raise Bench::Died, "wrk says #{report.inspect}"
          Load.new(requests: Integer(requests), rate: report[%r{^Requests/sec: +([\d.]+)}, 1].to_f,
                   errors: report[/^ *Socket errors: (.+)/, 1].to_s.scan(/\d+/).sum(&:to_i),
                   failures: report[/^ *Non-2xx or 3xx responses: (\d+)/, 1].to_i)
        end
      end
    end
  end
end
