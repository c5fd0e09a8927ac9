# frozen_string_literal: true

require_relative "store_case"

# Random programs give what they give with MemoryStore: the same results, errors, and events with their payloads.
class RandomCases < StoreCase
  KEYS = [:symbol, "plain", "with space/and slash?%&", "über-ключ", "nul\0", "../..", %w[a list], { b: 1, a: 2 }, 7, nil, "long" * 50].freeze
  VALUES = [nil, false, 0, 42, "text", "\xFF\0".b, "z" * 3000, "r" * 70_000, ["list", { deep: [1.5] }], :symbol, "12"].freeze
  OPTIONS = [{}, {}, {}, { namespace: "space" }, { namespace: -> { "called" } }, { expires_in: 5 }, { expires_in: 5 }, { version: 1 },
             { version: 2 }, { compress: true, compress_threshold: 1 }, { skip_nil: true }, { unless_exist: true }, { force: true },
             { race_condition_ttl: 10 }, { expires_in: 3, race_condition_ttl: 4 }].freeze
  # Rails 7.1 to 7.2.2 gives the new value the time of expiry of the old one, and changes the options of the store.
  RACES = Gem::Version.new(ActiveSupport::VERSION::STRING) >= Gem::Version.new("7.2.3")
  CALLS = %i[write write write read read read fetch fetch exist? delete read_multi write_multi fetch_multi
             increment decrement delete_matched delete_multi cleanup clear wait wait].freeze
  UNCOMPARED = %i[write_multi delete_matched cleanup clear].freeze # their results are no promise
  OTHER_EVENTS = %i[increment decrement cleanup].freeze

  def test_random_programs
    return if VERSION < 7.2 # MemoryStore counted from nothing, and its counters lost their time of expiry

    seed = ENV.fetch("SEED", rand(1 << 32)).to_i
    ENV.fetch("PROGRAMS", 100).to_i.times do |number|
      random = Random.new(seed + number)
      options = [{}, { namespace: "own" }, { expires_in: 6 }][random.rand(3)]
      stores = [ActiveSupport::Cache.lookup_store(:memory_store, **options), store_of(number, options)]
      run_program(random, stores, "SEED=#{seed + number}")
    end
  end

  private

  def store_of(number, options) = ActiveSupport::Cache.lookup_store(:frugal_store, path("cache#{number}"), compress: false, **options)

  def run_program(random, stores, message)
    clock = 0
    history = []
    25.times do
      call = CALLS[random.rand(CALLS.size)]
      next clock += random.rand(8) if call == :wait

      arguments = arguments(call, random)
      observed = random.rand(2).zero?
      history << [clock, call, arguments.inspect[0, 100]]
      stock, ours = later(clock) { stores.map { |one| outcome(one, call, arguments, observed) } }
      assert_equal stock, ours, "#{message}: #{history.map(&:inspect).join("\n")}"
    end
  end

  def arguments(call, random)
    keys = Array.new(3) { KEYS[random.rand(random.rand(2).zero? ? 2 : KEYS.size)] }
    values = Array.new(2) { VALUES[random.rand(VALUES.size)] }
    options = OPTIONS[random.rand(OPTIONS.size)]
    options = {} if options[:race_condition_ttl] && !RACES
    case call
    when :write then [keys[0], values[0], options]
    when :read, :fetch, :exist?, :delete then random.rand(3).zero? ? [keys[0]] : [keys[0], options]
    when :read_multi, :fetch_multi then [*keys, options]
    when :write_multi then [keys.zip(values + [1]).to_h, options]
    when :increment, :decrement then [keys[0], random.rand(3)]
    when :delete_matched then [[/l/, /plain|space/, /nothing/][random.rand(3)]]
    when :delete_multi then [keys.first(2)]
    else []
    end
  end

  def outcome(store, call, arguments, observed)
    result = nil
    copies = arguments.map(&:dup)
    seen = recorded(observed) { result = value(store, call, copies) }
    seen&.reject! { |name, _| name == "exist?" } if call != :exist? # which MemoryStore asks itself
    [UNCOMPARED.include?(call) ? nil : result, OTHER_EVENTS.include?(call) ? nil : seen]
  end

  def value(store, call, arguments)
    return store.public_send(call, *arguments) unless %i[fetch fetch_multi].include?(call)

    store.public_send(call, *arguments) { |key| "made for #{key}" }
  rescue StandardError => e
    e.class
  end

  def recorded(observed)
    unless observed
      yield
      return
    end
    events { yield }.map { |name, payload| [name, payload.except(:store, :compress, :compress_threshold, :exception_object)] }
  end
end
