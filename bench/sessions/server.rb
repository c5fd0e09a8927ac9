# frozen_string_literal: true

require "fileutils"
require "rbconfig"
require_relative "contents"
require_relative "../support/http"
require_relative "../support/web_gems"
require_relative "../support/wrk"

module Frugal
  module SessionsBench
    # An application under Puma in cluster mode, with one kind of sessions.
    class Server
      WORKERS = 2
      THREADS = 2
      LIMIT = 60 # seconds to boot
      SCRIPT = File.join(__dir__, "requests.lua")
      LISTENING = %r{Listening on http://127\.0\.0\.1:(\d+)}
      WORKER = /Worker \d+ \(PID: (\d+)\) booted/
      # CPUCLOCK_SCHED of another process: its clock has nanoseconds, and all its threads.
      CLOCK = ->(pid) { (~pid << 3) | 2 }

      # @param app [String] rack or rails
      # @param kind [String] pstore, files, redis, pool or cookies
      # @param place [String, nil] a folder or a URL
      # @param sessions [Integer]
      # @param folder [String] for what the server writes
      # @param load_path [Array<String>] options of Ruby
      # @param store_pid [Integer, nil] the Redis server
      def initialize(app, kind, place, sessions, folder, load_path:, store_pid: nil)
        FileUtils.mkdir_p(folder)
        @kind = kind
        @sessions = sessions
        @load_path = load_path
        @cookie = nil
        @store_pid = store_pid
        @log = File.join(folder, "log")
        @pid = spawn(environment(folder, place), *command(File.join(__dir__, "apps", "#{app}.ru")),
                     chdir: folder, in: File::NULL, out: @log, err: %i[child out])
      end

      # Waits for all processes, and checks that a session is found.
      #
      # @return [self]
      # @raise [Bench::Missing, Bench::Died]
      def booted
        limit = now + LIMIT
        until (log = File.read(@log)).scan(WORKER).size == WORKERS && (@port = log[LISTENING, 1])
          ended(log) if Process.wait(@pid, Process::WNOHANG)
          raise Bench::Died, "it does not start: #{log.lines.last.to_s.chomp}" if now > limit

          sleep 0.01
        end
        @pids = [@pid, *log.scan(WORKER).flatten.map(&:to_i)]
        check
        self
      end

      # Sends requests to a page.
      #
      # @return [Array(Float, Float, Bench::Load)] seconds of processor time of one request, of the server's processes
      #   and of the Redis server's; the measurements of wrk
      # @raise [Bench::Died]
      def measure(page, seconds, seed)
        before = nil
        arguments = [@cookie || @sessions.to_s, seed.to_s]
        load = Bench::Wrk.run("http://127.0.0.1:#{@port}/#{page}", seconds, script: SCRIPT, arguments: arguments) { before = clocks }
        raise Bench::Died, "#{load.failures} of #{load.requests} answers were errors" if load.failures.positive?

        [*clocks.zip(before).map { |now, earlier| (now - earlier) / load.requests }, load]
      end

      def stop
        return unless @pid

        Process.kill(:TERM, @pid)
        Process.wait(@pid)
        @pid = nil
      end

      private

      def environment(folder, place)
        own = { "FRUGAL" => nil, "SESSIONS_BENCH" => @kind, "SESSIONS_BENCH_PLACE" => place,
                "SESSIONS_BENCH_COUNT" => @sessions.to_s, "SESSIONS_BENCH_ROOT" => folder }
        Bench::WebGems::ENVIRONMENT.merge(own)
      end

      def command(app)
        puma = Bench::WebGems.available?("puma") ? File.join(Bench::WebGems.folder("puma"), "bin/puma") : Gem.bin_path("puma", "puma")
        [RbConfig.ruby, "-W0", *@load_path, puma, "-C", "-", "-b", "tcp://127.0.0.1:0", "-w", WORKERS.to_s,
         "-t", "#{THREADS}:#{THREADS}", "--preload", "-e", "production", app]
      end

      def ended(log)
        @pid = nil
        missing = log[/cannot load such file -- \S+/]
        raise missing ? Bench::Missing.new(missing) : Bench::Died.new(log.lines.grep(/Error/).first || log.lines.last.to_s)
      end

      # @return [Array(Float, Float)]
      def clocks
        [@pids, [*@store_pid]].map { |pids| pids.sum { |pid| Process.clock_gettime(CLOCK.call(pid)) } }
      rescue SystemCallError
        raise Bench::Died, "a process has ended, or this system does not tell its processor time"
      end

      # For cookies, the session that is made is that of all requests.
      def check
        number = @kind == "cookies" ? 0 : @sessions - 1
        @cookie = get("start", nil)[/^set-cookie: rack\.session=([^;\r]+)/i, 1] || "none" if @kind == "cookies"
        answer = get("unchanged", @cookie || Contents.id(number))
        raise Bench::Died, "answers #{answer.lines.first}" unless answer.include?("\r\n\r\nuser #{number}, 1")
      end

      def get(page, cookie) = Bench::HTTP.get(@port, "/#{page}", cookie && "rack.session=#{cookie}")

      def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    end
  end
end
