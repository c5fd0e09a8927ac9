# frozen_string_literal: true

require_relative "../support/store_gems"

module Safety
  # Frugal::Store as a {Subject}: engine, durability and serializer are its flags.
  #
  #   Subject.new("store+durable+json+pure")
  #
  # A journal is valid for a boot id and for the inode and times of the file, which a crash state
  # does not have. Here the inode is always the same; {reboot} sets another boot id, with times
  # that did not reach the disk.
  module StoreSubject
    FLAGS = %w[atomic durable json messagepack sqlite pure].freeze

    class << self
      attr_accessor :boot
    end

    # Prepended to the code under test.
    module Disk
      def stamp = [1, StoreSubject.boot ? 0 : super.last]
    end

    module System
      def id = StoreSubject.boot || super
    end

    def missing
      wanted = flags & %w[sqlite messagepack]
      "the gem for #{wanted.join(" and ")} is not installed" unless (wanted.map(&:to_sym) - StoreGems::AVAILABLE).empty?
    end

    def ruby_options = ["-I", "#{ROOT}/lib", *StoreGems::LIBRARIES.flat_map { |folder| ["-I", folder] }]

    def load
      require "frugal"
      require "frugal/store"
      Frugal::Store::SharedFile.prepend(Disk)
      Frugal::Store::Journal::Boot.singleton_class.prepend(System)
    end

    def open(path) = Frugal::Store.new(path, **options)

    def options
      { engine: flags.include?("sqlite") ? :sqlite : :file,
        durability: (flags & %w[atomic durable]).first&.to_sym || :fast,
        serializer: (flags & %w[json messagepack]).first&.to_sym || :marshal }
    end

    # With a store of the same kind, because only Frugal::Store has these formats.
    def encode(table)
      in_another_store do |path|
        store = open(path)
        store.transaction { table.each { |root, value| store[root] = value } }
        store.close
        File.binread(path)
      end
    end

    def decode(bytes)
      return decode_file(bytes) unless sqlite?

      in_another_store do |path|
        File.binwrite(path, bytes)
        open(path).each.to_h
      end
    end

    # @param rebooted [Boolean] whether the system has been booted since the store was written
    def reboot(rebooted = true) = StoreSubject.boot = rebooted ? Random.bytes(16) : nil

    def kept_descriptors = kept_files + 1

    def kept_files
      return 2 if sqlite?

      durable? ? 1 : 0
    end

    def durable? = flags.include?("durable")
    def sqlite? = flags.include?("sqlite")
    def atomic? = flags.include?("atomic")
    def survives_kills? = durable? || atomic? || sqlite?
    def survives_power_cuts? = durable? || (sqlite? && atomic?)

    # With a journal, the file alone may be incomplete.
    def file_complete? = !durable? && !sqlite?

    private

    def decode_file(bytes)
      bytes.empty? ? {} : Frugal::Store::Serializer.of(options[:serializer], false).load(bytes)
    end

    def in_another_store
      $LOAD_PATH.unshift("#{ROOT}/lib") unless $LOAD_PATH.include?("#{ROOT}/lib")
      require "frugal/store"
      Dir.mktmpdir("frugal-crash") { |folder| yield "#{folder}/store" }
    end
  end
end
