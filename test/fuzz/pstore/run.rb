# frozen_string_literal: true

require "fileutils"
require "json"
require "yaml/store"
require_relative "draft"

module PStoreFuzz
  # A subclass with its own hooks, which read a String or an IO.
  class JsonLike < PStore
    def dump(table) = JSON.generate(table)
    def load(content) = JSON.parse(content.respond_to?(:read) ? content.read : content)
    def empty_marshal_data = "{}"
    def empty_marshal_checksum = CHECKSUM_ALGO.digest(empty_marshal_data)
  end

  # Runs a draft in the working directory, and records all that a program could observe.
  class Run
    PATH = "the.store"

    attr_reader :events

    def initialize(draft)
      @draft = draft
      @events = []
    end

    def call
      make_file
      record(:new) { @store = open_store and nil }
      @draft.steps.each { |step| perform(step) } if @store
      folder = Regexp.new(Regexp.escape("#{Dir.pwd}/").b, Regexp::NOENCODING) # JRuby's errors have absolute paths
      events.map { |event| event.b.gsub(folder, "").gsub(/0x\h{6,}|fd:\d+|ChannelFD@\h+/n, "#") }
    end

    private

    def record(name)
      result = Description.of(yield)
      events << "#{name}: #{result}"
    rescue StandardError, NotImplementedError => e
      events << "#{name}: #{e.class}: #{e.message}"
    ensure
      events << "  #{state}"
    end

    # The content of the disk as stock would load it, and whether this step has written to the file.
    def state
      return "#{present} #{entries}" unless File.file?(PATH)

      bytes = bytes_of(PATH)
      same = bytes == @bytes
      @bytes = bytes
      mode = File.stat(PATH).mode.to_s(8) if @draft.mode_matters?
      "#{present} #{entries} #{mode} links #{File.stat(PATH).nlink} #{"unwritten" if same} #{loaded(bytes)}"
    end

    def present = File.symlink?(PATH) ? "link" : File.exist?(PATH) && File.ftype(PATH)

    def entries = Dir.children(".").sort.inspect

    def bytes_of(path)
      mode = File.stat(path).mode
      File.chmod(0o600, path) unless mode.anybits?(0o400)
      File.binread(path)
    ensure
      File.chmod(mode, path) unless mode.nil? || mode.anybits?(0o400)
    end

    def loaded(bytes)
      return bytes.inspect unless @draft.format == :marshal

      bytes.empty? ? "empty" : Description.of(Marshal.load(bytes))
    rescue StandardError => e
      "#{e.class}: #{bytes.bytesize} bytes"
    end

    # A new object, as a web application makes for each request, with this path or another one.
    def open_store(path = PATH)
      File.symlink(PATH, "alias") unless path == PATH || File.symlink?("alias")
      ultra = @draft.ultra? && path != "alias"
      classes = { marshal: PStore, yaml: YAML::Store, json_like: JsonLike }
      store = classes.fetch(@draft.format).new(path, *@draft.options[:thread_safe], **keywords(ultra))
      store.ultra_safe = ultra
      store
    end

    def keywords(ultra)
      options = @draft.options
      return options[:indentation] ? { indentation: 3 } : {} if @draft.format == :yaml

      keywords = options[:keyword] ? { ultra_safe: ultra, thread_safe: options[:thread_safe] } : {}
      keywords[:follow_symlink] = false if options[:no_follow]
      keywords
    end

    def encode(value)
      case @draft.format
      when :marshal then Marshal.dump(value)
      when :yaml then value.to_yaml
      else JSON.generate(value)
      end
    end

    def table
      @table ||= Array.new(1 + @draft.values.pick([0, 1, 3, 8])) { [@draft.values.key, @draft.values.value] }.to_h
    end

    def make_file
      bytes = encode(table)
      case @draft.file
      when :empty then File.binwrite(PATH, "")
      when :table then File.binwrite(PATH, bytes)
      when :truncated then File.binwrite(PATH, bytes.byteslice(0, bytes.bytesize / 2))
      when :corrupt then File.binwrite(PATH, bytes.b.tap { |all| all.setbyte(all.bytesize / 3, 0xFE) })
      when :foreign then File.binwrite(PATH, "#!/bin/sh\n\x00\xFF")
      when :other then File.binwrite(PATH, encode([1, 2]))
      when :trailing then File.binwrite(PATH, bytes + "\n\n")
      when :directory then Dir.mkdir(PATH)
      when :unreadable, :read_only then rights(bytes)
      when :link then link(bytes)
      when :dangling then File.symlink("nowhere", PATH)
      when :hard_link then link(bytes, :link)
      end
    end

    def rights(bytes)
      File.binwrite(PATH, bytes)
      File.chmod(@draft.file == :unreadable ? 0 : 0o444, PATH)
    end

    def link(bytes, how = :symlink)
      File.binwrite("target", bytes)
      File.public_send(how, "target", PATH)
    end

    def perform(step)
      kind, *details = step
      case kind
      when :transaction then transaction(*details)
      when :reopen then record(:reopen) { @store = open_store(*details) and nil }
      when :outside then record(:outside) { @store[:a] }
      when :no_block then record(:no_block) { @store.transaction }
      else record(kind) { disturb(kind, *details) }
      end
    end

    def transaction(read_only, operations, ending)
      record("transaction #{[read_only, operations.map(&:first), ending]}") do
        Body.new(@store, events).transaction(read_only, operations, ending)
      end
    end

    # A change of the file by another program.
    def disturb(kind, value = nil)
      case kind
      when :rewrite then File.binwrite(PATH, encode(@draft.values.pick([{ a: value }, { a: value, "b" => 1 }])))
      when :unlink then File.unlink(PATH)
      when :touch then FileUtils.touch(PATH)
      when :chmod then File.chmod(value, PATH)
      when :replace
        File.binwrite("other", encode({ name: value }))
        File.rename("other", PATH)
      end
      nil
    end
  end
end
