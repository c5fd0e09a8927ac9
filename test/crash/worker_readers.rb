# frozen_string_literal: true

module Safety
  # The requests of {ReadersCampaign}.
  class Worker
    # A table for a number. All tables have the same size, so that the size of a file proves nothing.
    def self.same_size(number)
      text = format("%08d", number)
      { "number" => text, "body" => text * 100, "tail" => text }
    end

    # Starts a process that writes numbers, and reports each to the pipe when its transaction
    # has ended. {join} waits for the process.
    def write_and_report(path, times, pipe)
      @counters = [fork do
        reported = File.open(pipe, "w")
        store = @subject.open(path)
        1.upto(times) do |number|
          store.transaction { Worker.same_size(number).each { |root, value| store[root] = value } }
          reported.syswrite("#{number}\n")
        end
        exit!(0)
      rescue Exception => e # rubocop:disable Lint/RescueException -- reported by the exit status
        warn "#{@subject}: #{e.full_message(highlight: false)}"
        exit!(1)
      end]
      nil
    end

    # Reads until the writer ends.
    #
    # @return [Hash] the number of +:reads+, of those that were +:behind+ (older than the last
    #   reported number), +:backwards+ (older than the read before) and +:torn+; +:last+ is the last number;
    #   +:wrong+ describes the first wrong reads
    def watch(path, pipe)
      result = { reads: 0, behind: 0, backwards: 0, torn: 0, last: 0, wrong: [] }
      store = @subject.open(path)
      File.open(pipe) do |reported|
        latest = ""
        loop do
          part = reported.read_nonblock(65_536, exception: false)
          latest = (latest + part).lines.last(2).join if part.is_a?(String)
          read_once(store, latest[/^(\d+)\n\z/, 1] || latest[/^(\d+)\n/, 1], result)
          break if part.nil? # the writer had ended before this read
        end
      end
      result
    end

    private

    def read_once(store, reported, result)
      kind, table, message = attempt { store.transaction(true) { table(store) } }
      number = kind == :table ? table["number"].to_i : -1
      result[:reads] += 1
      torn = kind == :error || (number.positive? && table != Worker.same_size(number))
      wrong = if torn then :torn
              elsif number < reported.to_i then :behind
              elsif number < result[:last] then :backwards
              end
      result[:last] = number if number.positive?
      return unless wrong

      result[wrong] += 1
      result[:wrong] << "#{wrong}: found #{number}, reported #{reported}, #{message}" if result[:wrong].size < 5
    end
  end
end
