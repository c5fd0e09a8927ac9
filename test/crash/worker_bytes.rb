# frozen_string_literal: true

module Safety
  # The requests of {CorruptionCampaign}.
  class Worker
    # Writes each content to the file, and opens that.
    #
    # @param root [Object] the key of one root
    # @return [Array<Array>] for each content: the results of a read-only transaction, of a
    #   transaction that may write, and of one that reads only that root; and whether the file is
    #   unchanged afterwards
    def read_bytes(path, contents, root)
      contents.map do |bytes|
        File.binwrite(path, bytes)
        answers = [true, false].map { |read_only| found(path, read_only) { |store| table(store) } }
        answers << found(path, true) { |store| store[root] }
        [*answers, File.binread(path) == bytes]
      ensure
        File.unlink(path)
      end
    end

    private

    # @return [Array] <tt>[:value, marshalled]</tt> or <tt>[:error, class, message]</tt>
    def found(path, read_only)
      value = nil
      store = @subject.open(path)
      store.transaction(read_only) do
        value = yield(store)
        store.abort unless read_only
      end
      [:value, Marshal.dump(value)]
    rescue Exception => e # rubocop:disable Lint/RescueException -- wrong bytes can raise any exception
      raise if e.is_a?(SignalException)

      [:error, e.class.name, e.message]
    end
  end
end
