# frozen_string_literal: true

module Safety
  # What {Guest} does for {StormsCampaign} and {CountingCampaign}.
  class Guest
    # What a writer's transactions leave: each root follows from the number, and
    # the sizes go up and down.
    #
    # @param size [Integer] bytes, about
    def self.numbered(number, size)
      letter = (97 + (number % 26)).chr
      { "number" => number, "head" => letter * 100, "body" => letter * (size - (number % 3 * (size / 5))), "tail" => number }
    end

    # Kills a writer at a random moment, again and again, and looks at the store.
    #
    # @return [Hash] +:kills+; +:torn+ stores; +:lost+ ones, without a
    #   transaction that was acknowledged; the most +:leftovers+; +:written+, how
    #   many transactions there were; +:wrong+, the first torn answers
    def storm(path, seed, kills, size)
      random = Random.new(seed)
      result = { kills: 0, torn: 0, lost: 0, leftovers: 0, written: 0, wrong: [] }
      cycle = 0.001
      kills.times do
        acknowledged, cycle = kill_a_writer(path, size, random.rand, cycle)
        judge_storm(path, size, acknowledged, result)
        others = Dir.children(File.dirname(path)).size - 1 - @subject.kept_files
        result[:leftovers] = [result[:leftovers], others].max
      end
      result
    end

    # Starts processes that count in the store; they begin when the file +go+ is there.
    #
    # @param kept [Boolean] whether each has one store for all times, and makes room
    #   for others after each, so that they take turns within a tick of the clock
    def count(path, processes, times, go, kept = false)
      @counters = Array.new(processes) do |index|
        fork do
          sleep 0.001 until File.exist?(go)
          one = @subject.open(path) if kept
          times.times do
            (one || @subject.open(path)).transaction { |store| add(store, "#{@subject}, #{index}") }
            sleep(0.0002) if kept
          end
          exit!(0)
        rescue Exception => e # rubocop:disable Lint/RescueException -- told by the status
          warn "#{@subject}: #{e.full_message(highlight: false)}"
          exit!(1)
        end
      end
      nil
    end

    # @return [Array<Integer, nil>] their exit statuses; nil for one that had to be ended
    def join(seconds)
      ended = Process.clock_gettime(Process::CLOCK_MONOTONIC) + seconds
      @counters.map do |pid|
        sleep 0.002 until (done = Process.wait(pid, Process::WNOHANG)) || Process.clock_gettime(Process::CLOCK_MONOTONIC) > ended
        next $?.exitstatus if done

        Process.kill(:KILL, pid)
        Process.wait(pid)
        nil
      end
    end

    private

    # A total, and a count of each process.
    def add(store, own)
      store["count"] = (store["count"] || 0) + 1
      store[own] = (store[own] || 0) + 1
    end

    # @param moment [Float] where in the next two transactions, 0 to 1
    # @return [Array(Integer, Float)] the last number acknowledged, or nil; the
    #   seconds that a transaction takes
    def kill_a_writer(path, size, moment, cycle)
      said_out, said_in = IO.pipe
      writer = fork { write_numbers(path, size, said_in) }
      said_in.close
      first = said_out.gets
      started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      second = said_out.gets
      cycle = Process.clock_gettime(Process::CLOCK_MONOTONIC) - started if second
      sleep(moment * cycle * 2)
      Process.kill(:KILL, writer)
      Process.wait(writer)
      last = [first, second, *said_out.read.lines].compact.grep(/\n\z/).last
      [last&.to_i, cycle]
    ensure
      said_out&.close
    end

    def write_numbers(path, size, said_in)
      store = @subject.open(path)
      loop do
        number = store.transaction do
          next_one = (store["number"] || 0) + 1
          Guest.numbered(next_one, size).each { |root, value| store[root] = value }
          next_one
        end
        said_in.syswrite("#{number}\n")
      end
    rescue Exception => e # rubocop:disable Lint/RescueException -- told to the parent
      said_in.syswrite("#{e.class}")
      exit!(1)
    end

    def judge_storm(path, size, acknowledged, result)
      result[:kills] += 1
      kind, table, message = read(path)
      number = table["number"] if kind == :table
      if kind == :table && table == (number ? Guest.numbered(number, size) : {})
        result[:written] = number.to_i
        result[:lost] += 1 unless acknowledged.nil? || number.to_i >= acknowledged
      else
        result[:torn] += 1
        result[:wrong] << "torn: #{kind} #{kind == :error ? [table, message] : table.transform_values { |value| value.to_s[0, 20] }}"
        File.unlink(path)
      end
    end
  end
end
