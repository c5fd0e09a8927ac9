# frozen_string_literal: true

module Safety
  # What {Guest} does for {CorruptionCampaign}.
  class Guest
    # Opens each of many files in turn.
    #
    # @param root [Object] that is read alone, too
    # @return [Array<Array>] for each file: what a read-only transaction found,
    #   what one that may write found, what reading one root alone found, and
    #   whether the file is unchanged thereafter
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
    rescue Exception => e # rubocop:disable Lint/RescueException -- bytes can raise anything
      raise if e.is_a?(SignalException)

      [:error, e.class.name, e.message]
    end
  end
end
