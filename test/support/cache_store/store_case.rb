# frozen_string_literal: true

require_relative "../../test_helper"
require "logger"
require "active_support"
require "active_support/cache"
require "active_support/notifications"
require "active_support/core_ext/numeric/time"
require "active_support/core_ext/object/blank" # FileStore 8.1 needs it and does not require it

# A test of a cache store, with the ActiveSupport that is in the load path. See test/shared/cache_store_test.rb.
class StoreCase < Frugal::TestCase
  KIND = :frugal_store
  VERSION = ActiveSupport::VERSION::STRING.to_f
  ActiveSupport::Cache.format_version = 7.1 if VERSION >= 7.1

  def setup
    @cache = store(expires_in: 60)
  end

  private

  def store(**options) = ActiveSupport::Cache.lookup_store(self.class::KIND, path("cache"), **options)

  # @return [Array<Array(String, Hash)>] names and payloads of the events in the block
  def events
    found = []
    subscriber = ActiveSupport::Notifications.subscribe(/\Acache_.*\.active_support\z/) do |name, _, _, _, payload|
      found << [name[/\Acache_(.*)\.active/, 1], payload]
    end
    yield
    found
  ensure
    ActiveSupport::Notifications.unsubscribe(subscriber)
  end

  # Moves the clock that ActiveSupport reads.
  def later(seconds)
    clock = Time.method(:now)
    silently { Time.define_singleton_method(:now) { clock.call + seconds } }
    yield
  ensure
    silently { Time.singleton_class.send(:remove_method, :now) }
    silently { Time.define_singleton_method(:now, clock) }
  end

  def silently
    before, $VERBOSE = $VERBOSE, nil
    yield
  ensure
    $VERBOSE = before
  end

  # Runs a block in processes that begin at the same moment.
  #
  # @return [Array<Object>] what they returned
  def in_processes(count)
    go_out, go_in = IO.pipe
    answers = Array.new(count) do |number|
      out, answer = IO.pipe(binmode: true)
      fork do
        go_in.close
        go_out.read
        answer.write(Marshal.dump(yield(number)))
        answer.close
        exit!
      end
      answer.close
      out
    end
    [go_out, go_in].each(&:close)
    values = answers.map { |out| Marshal.load(out.read) }
    Process.waitall
    values
  end

  def files = Dir.glob(path("cache/??/*"))
end
