# frozen_string_literal: true

require_relative "../support/session_contract"
require_relative "../support/stores"

# Sessions in an SQLite file: the contract, and files that are no stores.
class SessionSQLiteTest < SessionCase
  include SessionContract
  include Stores

  def setup
    needs(:sqlite)
    super
  end

  def test_foreign_values
    [["x"], 7, nil, "x", "base64:!"].each do |value|
      @client.cookie = nil
      get("/set?a=1")
      key = "session:#{digest_of(@client.cookie)}"
      store[key] = value
      counts = counted { assert_match(/\A\{"n" ?=> ?1\}\z/, get("/count"), value.inspect) }
      assert_equal value.nil? ? {} : { quarantined: 1 }, counts
      store.keys.each { |other| store.delete(other) }
    end
  end

  def test_a_file_that_is_no_store
    File.binwrite(file, "no database" * 100)
    counts = counted { assert_includes get("/count"), "1" }
    assert_equal({ not_saved: 1 }, counts)
    assert_equal 200, @client.response.status
    @client.cookie = "f" * 64
    assert_operator counted { assert_equal "{}", get("/read") }[:not_saved], :>=, 1
  end

  def test_a_session_that_is_not_used_costs_no_file
    assert_equal "not loaded", get("/nothing")
    refute_path_exists file
  end

  def test_a_turn_is_given_back
    get("/set?a=1")
    get("/read")
    assert_equal ["session:#{digest_of(@client.cookie)}"], store.keys
  end

  private

  def file = path("sessions.sqlite")

  def place = { sqlite: file }

  def store = @store ||= Frugal::Store.new(file, engine: :sqlite, serializer: :json)

  def kept = File.exist?(file) ? store.keys(prefix: "session:").map { |key| key.delete_prefix("session:") } : []

  def everything = Dir.glob("#{file}*").map { |name| File.binread(name) }.join

  def state = kept.map { |digest| record(digest).to_a }

  def age(seconds)
    life = record(kept[0]).lifetime - seconds
    life.positive? ? store.expire("session:#{kept[0]}", life) : store.delete("session:#{kept[0]}")
  end

  def unused = record(kept[0]).lifetime - store.ttl("session:#{kept[0]}")

  def record(digest)
    value = store["session:#{digest}"]
    Frugal::Session::Envelope.unpack(@middleware.backend.send(:decoded, value))
  end

  def plant(digest, bytes, format)
    value = Frugal::Session::Envelope.pack(bytes, format, 100, "0" * 16)
    store.write("session:#{digest}", @middleware.backend.send(:encoded, value), expires_in: 100)
  end

  def move(digest, other)
    store["session:#{other}"] = store["session:#{digest}"]
    store.delete("session:#{digest}")
  end
end
