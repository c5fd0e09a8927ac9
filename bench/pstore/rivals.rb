# frozen_string_literal: true

require_relative "libraries"
require_relative "../support/guest_process"

module Frugal
  module PStoreBench
    # One code, in a process that is there for all.
    #
    # [arguments] of guest.rb
    # [label]     for people
    Rival = Struct.new(:arguments, :label, :load_path, keyword_init: true)

    # One way to have a store: which code, and with which options.
    Side = Struct.new(:rival, :label, :options) do
      def sqlite? = options[:engine] == :sqlite

      def stock? = rival.arguments.first == "stock"
    end

    # What this machine has, oldest first, and the processes.
    class Rivals
      STORE = "Frugal::Store"
      SCRIPT = File.join(__dir__, "guest.rb")

      # @return [Array<String>] what is missing
      attr_reader :notes

      # @param scratch [String] a folder
      # @param offline [Boolean]
      # @raise [Error] without any pstore
      def initialize(scratch, offline:)
        @scratch = scratch
        libraries = Libraries.new(offline: offline)
        pstores = libraries.pstores
        @notes = libraries.notes
        raise Error, "there is no pstore to compare with: bin/setup --pstores, or run it without --offline" if pstores.empty?

        @stocks = pstores.map { |version, folder| rival(["stock", version], "pstore #{version}", folder) }
        @drop_in = rival(["drop-in", pstores.keys.last], "frugal, pstore #{pstores.keys.last}", pstores.values.last)
        @store = rival(["store"], STORE, *libraries.sqlite3)
        @none = rival(["none"], "a dump, a write and a sync alone")
        @processes = {}
      end

      # @return [Array<Side>] of each version
      def stocks(**options) = @stocks.map { |rival| side(rival, **options) }

      # @return [Side] of the newest one
      def stock(**options) = side(@stocks.last, **options)

      # @return [Side] the same one, with the drop-in
      def drop_in(**options) = side(@drop_in, **options)

      # @return [Side]
      def store(**options) = side(@store, **options)

      # @return [Side] what no store can be faster than
      def none = side(@none)

      # @param rival [Rival]
      # @return [Bench::GuestProcess] the same one each time, unless it died
      def process(rival)
        @processes.delete(rival) if @processes[rival]&.stopped?
        @processes[rival] ||= start(rival, "errors")
      end

      # @param prefix [Array<String>] of strace
      # @return [Bench::GuestProcess] one more
      def start(rival, errors, prefix: [])
        errors = File.join(@scratch, "#{rival.arguments.join("-")}.#{errors}")
        options = rival.load_path.flat_map { |folder| ["-I", folder] }
        options << "--disable=gems" unless rival.arguments.first == "store" # which may need an installed one
        Bench::GuestProcess.new([*prefix, RbConfig.ruby, *options, SCRIPT, *rival.arguments], errors: errors)
      end

      # @return [void]
      def stop = @processes.each_value(&:stop)

      private

      def rival(arguments, label, *load_path) = Rival.new(arguments: arguments, label: label, load_path: load_path)

      def side(rival, **options) = Side.new(rival, [rival.label, *options.map { |name, value| words(name, value) }].join(", "), options)

      def words(name, value) = value == true ? name.to_s : value.inspect
    end
  end
end
