# frozen_string_literal: true

require "open3"
require_relative "worker_process"

module Frugal
  module Bench
    # The measurements of wrk for one URL. `errors` are socket errors, `failures` are
    # responses that are neither 2xx nor 3xx.
    Load = Struct.new(:requests, :rate, :errors, :failures, keyword_init: true)

    # Runs wrk: as many requests as the server can answer, from one thread, on 16 connections
    # that are kept alive.
    module Wrk
      CONNECTIONS = 16
      COMMAND = ["wrk", "-t1", "-c#{CONNECTIONS}"].freeze
      # wrk accepts only whole seconds. An interrupt ends it earlier, and it still prints its report.
      MAX_DURATION = "-d60s"
      TRIES = 5
      LONGER = [1, 8, 40].freeze
      PAUSE = 0.3 # seconds between two interrupts

      class << self
        # @return [String, nil] such as "wrk 4.1.0"
        def version
          output, = Open3.capture2e("wrk", "-v")
          output[/\Awrk \S+/]
        rescue Errno::ENOENT
          nil
        end

        # @param url [String]
        # @param seconds [Float] wrk may take up to 0.1 seconds longer
        # @param script [String, nil] a file in Lua that makes the requests
        # @param arguments [Array<String>] of the script
        # @yield before each measurement; one in which no request was answered is repeated
        # @return [Load]
        # @raise [Bench::Died]
        def run(url, seconds, script: nil, arguments: [])
          words = [*(["-s", script] if script), url, *(["--", *arguments] if arguments.any?)]
          answered(seconds) do |duration|
            yield if block_given?
            report = attempts { measure(words, duration) } or raise Bench::Died, "wrk printed no report"
            parse(report)
          end
        end

        private

        # Measures longer if no request was answered: a busy machine may need longer than a short measurement for one.
        def answered(seconds)
          LONGER.each { |factor| yield(seconds * factor).then { |load| return load if load.requests.positive? } }
          raise Bench::Died, "no request was answered"
        end

        # An interrupt that comes before wrk has installed its handler ends wrk without a report.
        def attempts
          TRIES.times { yield.then { |report| return report unless report.empty? } }
          nil
        end

        # @return [String]
        def measure(words, seconds)
          Open3.popen2e(*COMMAND, MAX_DURATION, *words) do |input, output, thread|
            input.close
            sleep 0.005 until running?(thread)
            sleep seconds
            interrupt(thread)
            output.read
          end
        end

        # Whether wrk has begun, or has ended; an interrupt that comes before would end it without a report. On a busy
        # machine this takes longer than a short measurement. Elsewhere than under Linux, {attempts} has to be enough.
        def running?(thread)
          handled = File.read("/proc/#{thread.pid}/status")[/^SigCgt:\s*(\h+)/, 1]
          handled.hex[Signal.list["INT"] - 1] == 1 || !thread.alive?
        rescue SystemCallError
          true
        end

        # Repeats the interrupt, because wrk misses one that comes before it sleeps.
        def interrupt(thread)
          loop do
            Process.kill(:INT, thread.pid)
            break if thread.join(PAUSE)
          end
        rescue Errno::ESRCH
          nil # it ended with an error, which is in its output
        end

        def parse(report)
          requests = report[/^ *(\d+) requests in /, 1] or raise Bench::Died, "wrk printed #{report.inspect}"
          Load.new(requests: Integer(requests), rate: report[%r{^Requests/sec: +([\d.]+)}, 1].to_f,
                   errors: report[/^ *Socket errors: (.+)/, 1].to_s.scan(/\d+/).sum(&:to_i),
                   failures: report[/^ *Non-2xx or 3xx responses: (\d+)/, 1].to_i)
        end
      end
    end
  end
end
