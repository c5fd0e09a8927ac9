# frozen_string_literal: true

require_relative "../test_helper"
require "frugal/session"
require "frugal/session/keyed_backend"

# A place with keys and values of somebody else's, in a Hash, which has only what {Frugal::Session::KeyedBackend} asks for.
class SessionKeyedTest < Frugal::TestCase
  # Waits in the way that KeyedBackend has.
  class HashBackend < Frugal::Session::KeyedBackend
    attr_reader :values, :turns, :asked

    def initialize(**options)
      super
      @lock = Thread::Mutex.new
      @values = {}
      @turns = {}
      @asked = 0
    end

    private

    def read(turn)
      @lock.synchronize do
        @asked += 1
        value = @values[turn.digest] or next
        next :held if turn.token && @turns.fetch(turn.digest, turn.token) != turn.token

        @turns[turn.digest] = turn.token if turn.token
        value
      end
    end

    def put(digest, value, _lifetime) = @lock.synchronize { @values[digest] = value }

    def swap(turn, expected, _sequence, value, _lifetime)
      @lock.synchronize do
        present = @values[turn.digest]
        next present if present && Frugal::Session::Envelope.unpack(present).sequence != expected

        @turns.delete(turn.digest) if @turns[turn.digest] == turn.token
        @values[turn.digest] = value if present
        !present.nil?
      end
    end

    def remove(digest) = @lock.synchronize { !@values.delete(digest).nil? }
    def quarantine_value(_turn, _sequence) = false
    def end_turn(turn) = @lock.synchronize { @turns.delete(turn.digest) if @turns[turn.digest] == turn.token }
  end

  # Waits in a way of its own.
  class ToldBackend < HashBackend
    attr_reader :awaited

    private

    def await(turn)
      (@awaited ||= []) << turn.token
      :held
    end
  end

  def test_it_asks_again
    backend = of(HashBackend.new(lock_wait: 100))
    stored = load(backend)
    other = Thread.new { load(backend).then { |mine| save(backend, mine, "#{mine.bytes}+") } }
    Thread.pass until backend.asked > 4
    save(backend, stored, "1")
    other.join
    assert_equal ["1+", {}], [load(backend, turn: false).bytes, backend.turns]
  end

  def test_deleted_while_one_waited
    backend = of(HashBackend.new(lock_wait: 100))
    load(backend)
    other = Thread.new { load(backend) }
    Thread.pass until backend.asked > 4
    backend.delete("a")
    assert_equal :deleted, other.value
    assert_nil load(backend), "an id that is not known"
  end

  # It may not be lost without a word.
  def test_others_change_it_without_an_end
    backend = of(HashBackend.new)
    changes = 0
    others = -> { save(backend, load(backend, turn: false), "of others #{changes += 1}") }
    mine = load(backend, turn: false)
    others.call
    error = assert_raises(Frugal::Session::Conflict) do
      backend.commit(mine, "mine", 1, 100) { |bytes, format| others.call && [bytes, format] }
    end
    assert_equal "other requests have changed it #{changes - 1} times meanwhile", error.message
    assert_equal "of others #{changes}", load(backend, turn: false).bytes
  end

  def test_a_way_to_wait_of_its_own
    backend = of(ToldBackend.new(lock_wait: 100))
    load(backend)
    events = []
    late = backend.load("a", true) { |event, _| events << event }
    assert_equal ["0", nil, [:waited]], [late.bytes, late.handle.token, events]
    assert_equal 1, backend.awaited.size
  end

  def test_an_interrupted_wait_gives_its_turn_back
    backend = of(HashBackend.new)
    backend.define_singleton_method(:read) { |turn| super(turn) && raise(Interrupt) }
    assert_raises(Interrupt) { load(backend) }
    assert_empty backend.turns
  end

  private

  def of(backend) = backend.tap { backend.create("a", "0", 1, 100) }

  def load(backend, turn: true) = backend.load("a", turn) { |event, message| flunk("#{event}: #{message}") }

  def save(backend, stored, bytes) = backend.commit(stored, bytes, 1, 100) { flunk("merged") }
end
