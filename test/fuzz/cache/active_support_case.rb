# frozen_string_literal: true

require_relative "outside_change"

module CacheFuzz
  # Random calls of a FileStore, and what they did: results, errors, events, the log
  # and the files.
  class ActiveSupportCase
    KEYS = [:symbol, "plain", "with space/and slash?%&", "über-ключ", "", "new\nline", "nul\0", "dots/../..",
            %w[a list], { b: 1, a: 2 },
            "l" * 230, "very long " * 120, "plain.real", nil, 7].freeze
    class Undumpable
      def to_s = "undumpable"
      alias inspect to_s
      def marshal_dump = raise(TypeError, "no dump")
    end
    VALUES = [nil, false, 0, 42, "text", "\xFF\x00binary".b, "z" * 3000, ["list", { deep: [1.5] }], :symbol, "12",
              Undumpable.new].freeze
    OPTIONS = [{}, {}, {}, { namespace: "space" }, { namespace: -> { "called" } }, { expires_in: 5 }, { version: 1 },
               { version: 2 }, { compress: false }, { compress_threshold: 1 }, { raw: true }, { unless_exist: true },
               { skip_nil: true },
               { force: true }, { race_condition_ttl: 10 }, { expires_in: 3, race_condition_ttl: 4 }].freeze
    CALLS = %i[write write write read read read fetch fetch exist? delete read_multi write_multi fetch_multi
               increment decrement delete_matched delete_multi cleanup clear wait wait
               outside_change outside_change].freeze

    # Which file these fail at first, and so which files are left, depends on the order of the directory on the disk.
    IN_DISK_ORDER = %i[clear cleanup delete_matched].freeze

    # A user's subclass, which calls super, and uses a Pathname for the path of a file.
    class Own < ActiveSupport::Cache::FileStore
      private

      def read_serialized_entry(key, **) = super&.then(&:dup)

      def normalize_key(key, options) = Pathname(super)
    end

    # A user's subclass that never calls super.
    class WithoutSuper < ActiveSupport::Cache::FileStore
      private

      def read_serialized_entry(key, **) = File.exist?(key) ? File.binread(key) : nil
    end

    STORES = [*[ActiveSupport::Cache::FileStore] * 4, Own, WithoutSuper].freeze

    # @param doubles [Boolean] whether methods of File may be replaced, for the rest of the process
    def initialize(random, root, doubles:)
      @random = random
      @calls = doubles ? [*CALLS, :stub, :stub] : CALLS
      @root = root
      @events = []
      folders = [root, "#{root}/", "#{root}/below", "#{root}/missing/far"]
      @store = one_of(STORES).new(one_of(folders), **store_options)
      ActiveSupport::Cache::Store.logger = self
    end

    # @return [Array<String>] one line a call
    def run
      subscribed do
        Array.new(25) do
          @events.clear
          call = one_of(@calls)
          line = outcome { __send__(:"call_#{call.to_s.delete_suffix("?")}") }
          line = error_in_disk_order(line) if IN_DISK_ORDER.include?(call) && line.is_a?(Array)
          [call, line, @events, files].inspect
        end
      end
    end

    # The interface of a Logger.
    def error(text = yield) = @events << [:error, text]
    def warn(text = yield) = @events << [:warn, text]
    def debug(text = yield) = @events << [:debug, text]
    def debug? = true

    private

    def one_of(list) = list[@random.rand(list.size)]

    def store_options
      [{}, {}, { namespace: "own" }, { expires_in: 60 }, { compress: false }][@random.rand(5)]
    end

    def outcome
      yield
    rescue StandardError => e
      [e.class, e.message]
    end

    # The case goes on with an empty tree on both sides.
    def error_in_disk_order(error)
      @events.clear
      OutsideChange.unlock(@root)
      FileUtils.rm_rf(@root)
      Dir.mkdir(@root)
      error.first
    end

    def subscribed(&block)
      listener = ->(name, _start, _finish, _id, payload) { @events << [name, payload.inspect] }
      ActiveSupport::Notifications.subscribed(listener, /cache_/, &block)
    end

    def files
      Dir.glob("**/*", base: @root).sort.map do |name|
        stat = File.lstat(path = File.join(@root, name))
        [name, stat.ftype, stat.mode.to_s(8), stat.file? && stat.readable? ? Zlib.crc32(File.binread(path)) : nil]
      rescue Errno::EACCES
        [name]
      end
    end

    # Half of the time one of three, so that several calls use the same key.
    def key = one_of(@random.rand(2).zero? ? KEYS.first(3) : KEYS)

    def call_write = @store.write(key, one_of(VALUES), **one_of(OPTIONS))

    def call_read = @store.read(key, **one_of(OPTIONS))

    def call_fetch
      value = one_of(VALUES)
      @store.fetch(key, **one_of(OPTIONS)) { value }
    end

    def call_exist = @store.exist?(key, **one_of(OPTIONS))

    def call_delete = @store.delete(key, **one_of(OPTIONS))

    def call_read_multi = @store.read_multi(key, key, key, **one_of(OPTIONS))

    def call_write_multi = @store.write_multi({ key => one_of(VALUES), key => one_of(VALUES) })

    def call_fetch_multi = @store.fetch_multi(key, key) { |missing| "made for #{missing}" }

    def call_increment = @store.increment(key, @random.rand(3), **one_of(OPTIONS))

    def call_decrement = @store.decrement(key)

    def call_delete_matched = @store.delete_matched([/l/, /plain|space/, /nothing/][@random.rand(3)])

    def call_delete_multi = @store.delete_multi([key, key])

    def call_cleanup = @store.cleanup&.class

    def call_clear = @store.clear&.class

    def call_wait = Clock.advance(@random.rand(8))

    def call_outside_change = [OutsideChange.run(@random, @root), outcome { call_read }]

    # Replaces a method of File, as a test does.
    def call_stub
      name, answer = [[:exist?, false], [:exist?, true], [:binread, "stubbed"]][@random.rand(3)]
      File.singleton_class.prepend(Module.new do
        define_method(name) { |*path| path.join.end_with?("plain", "space") ? answer : super(*path) }
      end)
      [name, answer]
    end
  end
end
