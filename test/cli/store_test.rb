# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/stores"
require "frugal/store"
require "json"
require "pstore"

# `frugal store` as a process, on files of PStore and Frugal::Store.
class StoreCommandTest < Frugal::TestCase
  include Stores

  COMMAND = [RUBY, *StoreGems::LIBRARIES.flat_map { |folder| ["-I", folder] }, File.join(ROOT, "exe/frugal"), "store"].freeze
  TABLE = { "name" => "x" * 1500, "list" => [1, nil, 2.5, { "k" => true }], "\u00e9" => "e" }.freeze

  def setup
    @file = path("app.store")
    store = PStore.new(@file)
    store.transaction { TABLE.each { |key, value| store[key] = value } }
  end

  def test_stats
    result = run_store("stats", @file)
    assert_equal "#{@file}: 3 roots, 1.6 kB, engine file, marshal\n", result.out.lines.first
    assert_match(/^ +1\.5 kB  "name"$/, result.out)
    stats = JSON.parse(run_store("stats", "--json", @file).out)
    assert_equal ["file", "marshal", 3, File.size(@file), "name"], [*stats.values_at("engine", "serializer", "roots", "bytes"), stats["largest"].first["key"]]
  end

  def test_verify
    assert_equal "#{@file} is sound: 3 roots, engine file, marshal\n", run_store("verify", @file).out
    write("cut.store", File.binread(@file)[0, 100])
    write("text", "hello")
    write("a.yml", "---\na: 1\n")
    Frugal::Store.new(path("d.store"), durability: :durable)["a"] = 1
    { "cut.store" => /is damaged: cannot be read as marshal: /, "text" => /text is not a store: it begins with "hello"$/,
      "a.yml" => /a\.yml is not a store: it begins like YAML, and only YAML::Store reads a YAML::Store$/,
      "d.store.frugal-journal" => /is not a store: it is the journal of \S+d\.store$/ }.each do |name, words|
      result = run_store("verify", path(name))
      assert_equal 1, result.status.exitstatus
      assert_match words, result.out
      refute JSON.parse(run_store("verify", "--json", path(name)).out).fetch("sound")
    end
  end

  def test_dump
    lines = run_store("dump", @file).out.lines.map { |line| JSON.parse(line) }
    assert_equal(TABLE, lines.to_h { |line| [line["key"], line["value"]] })
    PStore.new(path("b")).transaction { |store| store[:key] = { symbol: 1.0 / 0, "time" => Time.at(0).utc, "bytes" => "\xFF".b } }
    assert_equal({ "key" => { "inspect" => ":key" },
                   "value" => { "inspect: :symbol" => { "inspect" => "Infinity" }, "time" => { "inspect" => "1970-01-01 00:00:00 UTC" },
                                "bytes" => { "inspect" => '"\xFF"' } } }, JSON.parse(run_store("dump", path("b")).out))
  end

  def test_convert_between_all_kinds
    kinds = { "a.json" => [], "b.store" => ["--serializer", "marshal"] }
    kinds["c.msgpack"] = [] if StoreGems::AVAILABLE.include?(:messagepack)
    kinds["d.sqlite"] = ["--serializer", "json"] if StoreGems::AVAILABLE.include?(:sqlite)
    kinds.merge("last.store" => ["--serializer", "marshal"]).inject(@file) do |from, (name, options)|
      result = run_store("convert", from, path(name), *options)
      assert result.success?, result
      assert_match(/3 roots/, result.out)
      assert run_store("verify", path(name)).success?
      path(name)
    end
    assert_equal File.binread(@file), File.binread(path("last.store"))
    beside = kinds.keys.grep(/sqlite/).map { |name| "#{name}-turn" } # where writers queue up
    assert_equal ["app.store", "last.store", *kinds.keys, *beside].sort, Dir.children(tree).sort
  end

  def test_convert_overwrites_only_with_force
    write("b.json", "mine")
    result = run_store("convert", @file, path("b.json"))
    assert_equal [2, "mine"], [result.status.exitstatus, File.read(path("b.json"))]
    assert_match(/already exists.*--force/, result.err)
    assert run_store("convert", "--force", @file, path("b.json")).success?
    assert_equal TABLE, JSON.parse(File.read(path("b.json")))
    assert_equal 2, run_store("convert", @file, @file, "--force").status.exitstatus
  end

  def test_convert_keeps_a_private_mode
    File.chmod(0o600, @file)
    ["b.json", *("b.db" if StoreGems::AVAILABLE.include?(:sqlite))].each do |name|
      write(name, "") # its mode is ignored
      result = run_store("convert", "--force", @file, path(name))
      assert result.success?, result
      assert_equal 0o600, File.stat(path(name)).mode & 0o777, name
    end
  end

  def test_convert_replaces_only_regular_files
    File.mkfifo(path("pipe"))
    symlink("nowhere", "link")
    %w[pipe link].each do |name|
      assert_match(/already exists/, run_store("convert", @file, path(name)).err)
      result = run_store("convert", "--force", @file, path(name))
      assert_equal [2, false], [result.status.exitstatus, File.file?(path(name))]
      assert_match(/not a regular file/, result.err)
    end
    %w[stats verify dump compact].each do |command|
      assert_match(/not a regular file/, run_store(command, path("pipe")).err)
    end
    assert_equal ["link", "pipe", File.basename(@file)].sort, Dir.children(tree).sort
  end

  def test_a_failed_conversion_leaves_no_file
    PStore.new(@file).transaction { |store| store["when"] = Time.at(0) }
    result = run_store("convert", @file, path("b.json"))
    assert_equal 1, result.status.exitstatus
    assert_match(/the root "when" cannot be converted: json cannot store Time/, result.err)
    assert_equal ["app.store"], Dir.children(tree)
  end

  def test_classes
    write("point.rb", "Point = Struct.new(:x)")
    run_ruby("-r#{path("point.rb")}", "-rpstore", "-e", "s = PStore.new(ARGV[0]); s.transaction { s[1] = Point.new(2) }", path("b"))
    assert_match(/1 root/, run_store("stats", path("b")).out) if Frugal::Native.engine_name == :c
    refused = run_store("dump", path("b"))
    refute refused.success?
    assert_equal "frugal: next: frugal store dump -r LIB #{path("b")}, where LIB defines it\n", refused.err.lines.last
    assert_equal({ "key" => 1, "value" => { "inspect" => "#<struct Point x=2>" } }, JSON.parse(run_store("dump", "-r", path("point.rb"), path("b")).out))
  end

  def test_compact
    store = PStore.new(@file)
    store.transaction { store.delete("name") }
    result = run_store("compact", @file)
    assert result.success?, result
    assert_equal TABLE.keys - ["name"], store.transaction(true) { store.roots }
  end

  def test_compact_frees_space
    skip "the gem sqlite3 is not installed: bin/setup --stores" unless StoreGems::AVAILABLE.include?(:sqlite)
    store = Frugal::Store.new(path("a.sqlite"), engine: :sqlite)
    store.transaction { 100.times { |number| store[number] = "x" * 1000 } }
    store.transaction { 99.times { |number| store.delete(number) } }
    store.close
    compacted = JSON.parse(run_store("compact", "--json", path("a.sqlite")).out)
    assert_operator compacted["after"], :<, compacted["before"] / 2
    assert_equal [99], store.keys
  end

  # Deadlines go with their roots; expired roots stay behind.
  def test_roots_that_expire
    store = Frugal::Store.new(path("a.store"))
    written = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    store.write("session", "x" * 500, expires_in: 3600)
    store["kept"] = 1
    store.write("old", "x" * 500, expires_in: 0.001)
    sleep 0.005
    kinds = { "b.json" => :file, "c.store" => :file }
    kinds["d.sqlite"] = :sqlite if StoreGems::AVAILABLE.include?(:sqlite)
    kinds.inject(store.path) do |from, (name, engine)|
      assert_match(/: 2 roots, /, run_store("stats", from).out)
      assert_match(/: 2 roots, /, run_store("verify", from).out)
      result = run_store("convert", from, path(name), "--serializer", name.end_with?("json") ? "json" : "marshal")
      assert result.success?, result
      copy = Frugal::Store.new(path(name), engine: engine, serializer: name.end_with?("json") ? :json : :marshal)
      assert_equal({ "session" => "x" * 500, "kept" => 1 }, copy.each.to_h)
      left = copy.ttl("session")
      assert_includes 3599 - (Process.clock_gettime(Process::CLOCK_MONOTONIC) - written)..3600, left
      copy.write("old", "x" * 5000, expires_in: 0.001)
      copy.close
      sleep 0.005
      compacted = JSON.parse(run_store("compact", "--json", path(name)).out)
      assert_operator compacted["after"], engine == :file ? :< : :<=, compacted["before"]
      refute_includes File.binread(path(name)), "x" * 4000
      path(name)
    end
  end

  def test_a_store_on_a_server
    needs(:redis)
    url = "#{RedisServer.shared.url}?store=#{tree}"
    assert_match(/0 roots, 0 B, engine redis, json/, run_store("stats", url).out)
    store = Frugal::Store.new(url, engine: :redis, serializer: :marshal)
    store.transaction { TABLE.each { |key, value| store[key] = value } }
    result = run_store("stats", url)
    assert_match(/: 3 roots, 1\.5 kB, engine redis, marshal$/, result.out)
    assert_match(/^ +1\.5 kB  "name"$/, result.out)
    assert_match(/is sound: 3 roots/, run_store("verify", url).out)
    assert_equal(TABLE, run_store("dump", url).out.lines.map { |line| JSON.parse(line) }.to_h(&:values))
    { %w[compact] => /frees the space/, ["convert", path("app.store")] => /no file: copy the roots/ }.each do |words, message|
      refused = run_store(*words, url)
      assert_equal 2, refused.status.exitstatus
      assert_match(message, refused.err)
    end
    RedisServer.shared.ask("SET", "frugal:{#{tree}}:root:slist", "text")
    assert_equal 1, run_store("verify", url).status.exitstatus
    away = run_store("stats", "redis://127.0.0.1:1/0?store=a")
    assert_equal [1, true], [away.status.exitstatus, away.err.include?("cannot be reached")]
    open_store(:redis_secret, "#{tree} secret")["a"] = 1
    assert_match(/store with a secret/, run_store("stats", "#{url}+secret").err)
  end

  def test_wrong_usage
    [[], ["nothing", @file], ["stats"], ["stats", @file, @file], ["convert", @file],
     ["stats", "--nothing", @file], ["dump", "-r", "no/such", @file]].each do |words|
      result = run_store(*words)
      assert_equal 2, result.status.exitstatus, words.inspect
      assert_match(/next: frugal store --help/, result.err)
    end
    result = run_store("stats", path("missing"))
    assert_equal 1, result.status.exitstatus
    assert_equal "frugal: store: #{path("missing")}: No such file or directory\n", result.err
    assert_equal "frugal: store: #{tree}: Is a directory\n", run_store("stats", tree).err
    assert_match(/usage: frugal store/, run_store("--help").out)
    assert_match(/usage: frugal store/, run_store("stats", "--help").out)
  end

  private

  def run_store(*words) = run_command(*COMMAND, *words)
end
