# frozen_string_literal: true

module Safety
  # What {Guest} does for {ReadersCampaign}.
  class Guest
    # Numbers of one length, so that a file's size tells nothing.
    def self.same_size(number)
      text = format("%08d", number)
      { "number" => text, "body" => text * 100, "tail" => text }
    end

    # Starts a process that writes numbers and tells each as soon as its
    # transaction is over. {join} waits for it.
    def announce(path, times, pipe)
      @counters = [fork do
        told = File.open(pipe, "w")
        store = @subject.open(path)
        1.upto(times) do |number|
          store.transaction { Guest.same_size(number).each { |root, value| store[root] = value } }
          told.syswrite("#{number}\n")
        end
        exit!(0)
      rescue Exception => e # rubocop:disable Lint/RescueException -- told by the status
        warn "#{@subject}: #{e.full_message(highlight: false)}"
        exit!(1)
      end]
      nil
    end

    # Reads until the writer ends.
    #
    # @return [Hash] how many +:reads+; +:behind+ what had been told;
    #   +:backwards+, an older table after a newer one; +:torn+; +:last+, the last number
    def watch(path, pipe)
      result = { reads: 0, behind: 0, backwards: 0, torn: 0, last: 0, wrong: [] }
      store = @subject.open(path)
      File.open(pipe) do |told|
        latest = ""
        loop do
          part = told.read_nonblock(65_536, exception: false)
          latest = (latest + part).lines.last(2).join if part.is_a?(String)
          look(store, latest[/^(\d+)\n\z/, 1] || latest[/^(\d+)\n/, 1], result)
          break if part.nil? # the writer is gone, and this was after it
        end
      end
      result
    end

    private

    def look(store, told, result)
      kind, table, message = attempt { store.transaction(true) { table(store) } }
      number = kind == :table ? table["number"].to_i : -1
      result[:reads] += 1
      wrong = if kind == :error || (number.positive? && table != Guest.same_size(number)) then :torn
              elsif number < told.to_i then :behind
              elsif number < result[:last] then :backwards
              end
      result[:last] = number if number.positive?
      return unless wrong

      result[wrong] += 1
      result[:wrong] << "#{wrong}: found #{number}, told #{told}, #{message}" if result[:wrong].size < 5
    end
  end
end
