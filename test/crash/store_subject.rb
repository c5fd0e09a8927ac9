# frozen_string_literal: true

require_relative "../support/store_gems"

module Safety
  # Frugal::Store as a {Subject}: engine, durability and serializer are its flags.
  #
  #   Subject.new("store+durable+json+pure")
  #
  # A journal is believed by the run of the system and by the file's inode and
  # times, none of which a crash state has. Here every store has one inode;
  # {reboot} makes another run of the system, in which no times had reached the disk.
  module StoreSubject
    FLAGS = %w[atomic durable json messagepack sqlite pure].freeze

    class << self
      attr_accessor :boot
    end

    # What the harness changes in the code that it tests.
    module Disk
      def stamp = [1, StoreSubject.boot ? 0 : super.last]
    end

    module System
      def id = StoreSubject.boot || super
    end

    def missing
      wanted = flags & %w[sqlite messagepack]
      "the gem for #{wanted.join(" and ")} is not here" unless (wanted.map(&:to_sym) - StoreGems::AVAILABLE).empty?
    end

    def ruby_options = ["-I", "#{ROOT}/lib", *StoreGems::LIBRARIES.flat_map { |folder| ["-I", folder] }]

    def load
      require "frugal"
      require "frugal/store"
      Frugal::Store::SharedFile.prepend(Disk)
      Frugal::Store::Boot.singleton_class.prepend(System)
    end

    def open(path) = Frugal::Store.new(path, **options)

    def options
      { engine: flags.include?("sqlite") ? :sqlite : :file, durability: (flags & %w[atomic durable]).first&.to_sym || :fast,
        serializer: (flags & %w[json messagepack]).first&.to_sym || :marshal }
    end

    # By a store of the same kind: their formats are ours.
    def encode(table)
      elsewhere do |path|
        store = open(path)
        store.transaction { table.each { |root, value| store[root] = value } }
        store.close
        File.binread(path)
      end
    end

    def decode(bytes)
      return bytes.empty? ? {} : Frugal::Store::Serializer.of(options[:serializer], false).load(bytes) unless sqlite?

      elsewhere do |path|
        File.binwrite(path, bytes)
        open(path).each.to_h
      end
    end

    # What follows happens after the power came back; or, again, before.
    def reboot(again = true) = StoreSubject.boot = again ? Random.bytes(16) : nil

    def kept_descriptors = sqlite? ? 3 : durable? ? 2 : 1
    def kept_files = sqlite? ? 2 : durable? ? 1 : 0
    def durable? = flags.include?("durable")
    def sqlite? = flags.include?("sqlite")
    def atomic? = flags.include?("atomic")
    def survives_kills? = durable? || atomic? || sqlite?
    def survives_power_cuts? = durable? || (sqlite? && atomic?)

    # A journal beside it may know better.
    def plain_file? = !durable? && !sqlite?

    private

    def elsewhere
      $LOAD_PATH.unshift("#{ROOT}/lib") unless $LOAD_PATH.include?("#{ROOT}/lib")
      require "frugal/store"
      Dir.mktmpdir("frugal-crash") { |folder| yield "#{folder}/store" }
    end
  end
end
