# frozen_string_literal: true

module Safety
  # The requests of {StormsCampaign} and {CountingCampaign}.
  class Worker
    # The table after a writer's transaction: all roots can be computed from its number, and
    # their sizes grow and shrink.
    #
    # @param size [Integer] approximately, in bytes
    def self.numbered(number, size)
      letter = (97 + (number % 26)).chr
      body = letter * (size - (number % 3 * (size / 5)))
      { "number" => number, "head" => letter * 100, "body" => body, "tail" => number }
    end

    # Repeatedly kills a writer at a random moment, and reads the store.
    #
    # @return [Hash] the number of +:kills+, of +:torn+ stores and of +:lost+ ones, which miss an
    #   acknowledged transaction; the largest number of +:leftovers+; the number of transactions
    #   +:written+; +:wrong+ describes torn stores
    def storm(path, seed, kills, size)
      random = Random.new(seed)
      result = { kills: 0, torn: 0, lost: 0, leftovers: 0, written: 0, wrong: [] }
      cycle = 0.001
      kills.times do
        acknowledged, cycle = kill_a_writer(path, size, random.rand, cycle)
        check_after_kill(path, size, acknowledged, result)
        others = Dir.children(File.dirname(path)).size - 1 - @subject.kept_files
        result[:leftovers] = [result[:leftovers], others].max
      end
      result
    end

    # Starts processes that increment a counter in the store. They begin when the file +start+ exists.
    #
    # @param kept [Boolean] whether each uses one store for all increments, and sleeps after each, so
    #   that the processes take turns within a tick of the clock
    def count(path, processes, times, start, kept = false)
      @counters = Array.new(processes) do |index|
        fork do
          sleep 0.001 until File.exist?(start)
          one = @subject.open(path) if kept
          times.times do
            (one || @subject.open(path)).transaction { |store| add(store, "#{@subject}, #{index}") }
            sleep(0.0002) if kept
          end
          exit!(0)
        rescue Exception => e # rubocop:disable Lint/RescueException -- reported by the exit status
          warn "#{@subject}: #{e.full_message(highlight: false)}"
          exit!(1)
        end
      end
      nil
    end

    # @return [Array<Integer, nil>] their exit statuses; nil for one that hung, and was killed
    def join(seconds)
      @counters.map do |pid|
        next $?.exitstatus if Hang.wait_for(Process.pid, seconds) { Process.wait(pid, Process::WNOHANG) }

        Process.kill(:KILL, pid)
        Process.wait(pid)
        nil
      end
    end

    private

    # Increments a total and a counter of each process.
    def add(store, own)
      store["count"] = (store["count"] || 0) + 1
      store[own] = (store[own] || 0) + 1
    end

    # @param moment [Float] when to kill within the next two transactions, 0 to 1
    # @param cycle [Float] how long a transaction takes, in seconds
    # @return [Array(Integer, Float)] the last acknowledged number, or nil; and the measured cycle
    def kill_a_writer(path, size, moment, cycle)
      numbers_out, numbers_in = IO.pipe
      writer = fork { write_numbers(path, size, numbers_in) }
      numbers_in.close
      first = numbers_out.gets
      started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      second = numbers_out.gets
      cycle = Process.clock_gettime(Process::CLOCK_MONOTONIC) - started if second
      sleep(moment * cycle * 2)
      Process.kill(:KILL, writer)
      Process.wait(writer)
      last = [first, second, *numbers_out.read.lines].compact.grep(/\n\z/).last
      [last&.to_i, cycle]
    ensure
      numbers_out&.close
    end

    def write_numbers(path, size, numbers_in)
      store = @subject.open(path)
      loop do
        number = store.transaction do
          next_one = (store["number"] || 0) + 1
          Worker.numbered(next_one, size).each { |root, value| store[root] = value }
          next_one
        end
        numbers_in.syswrite("#{number}\n")
      end
    rescue Exception => e # rubocop:disable Lint/RescueException -- reported to the parent
      numbers_in.syswrite(e.class.to_s)
      exit!(1)
    end

    def check_after_kill(path, size, acknowledged, result)
      result[:kills] += 1
      kind, table, message = read(path)
      number = table["number"] if kind == :table
      if kind == :table && table == (number ? Worker.numbered(number, size) : {})
        result[:written] = number.to_i
        result[:lost] += 1 unless acknowledged.nil? || number.to_i >= acknowledged
      else
        result[:torn] += 1
        found = kind == :error ? [table, message] : table.transform_values { |value| value.to_s[0, 20] }
        result[:wrong] << "torn: #{kind} #{found}"
        File.unlink(path)
      end
    end
  end
end
