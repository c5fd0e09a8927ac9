# frozen_string_literal: true

require_relative "libraries"
require_relative "../support/jruby"
require_relative "../support/worker_process"

module Frugal
  module PStoreBench
    # One implementation, in a process for all its measurements.
    #
    # [arguments] of worker.rb
    # [label]     in the report
    # [load_path] folders of its libraries
    # [ruby]      the command that runs it
    Rival = Struct.new(:arguments, :label, :load_path, :ruby, keyword_init: true) do
      def jruby? = ruby == Bench::JRuby::COMMAND

      # @return [String] for the names of its files
      def name = [("jruby" if jruby?), *arguments].compact.join("-")
    end

    # A rival with the options of its store.
    Side = Struct.new(:rival, :label, :options) do
      def sqlite? = options[:engine] == :sqlite

      def stock? = rival.arguments.first == "stock"
    end

    # The rivals that this machine has, and their processes.
    class Rivals
      STORE = "Frugal::Store"
      SCRIPT = File.join(__dir__, "worker.rb")

      # @return [Array<String>] notes about what is missing
      attr_reader :notes

      # @param scratch [String] a folder
      # @param offline [Boolean]
      # @raise [Error] if no version of pstore is available
      def initialize(scratch, offline:)
        @scratch = scratch
        libraries = Libraries.new(offline: offline)
        pstores = libraries.pstores
        @notes = libraries.notes
        raise Error, "no version of pstore to compare with: run bin/setup --pstores, or omit --offline" if pstores.empty?

        @stocks = pstores.map { |version, folder| rival(["stock", version], "pstore #{version}", folder) }
        @drop_in = rival(["drop-in", pstores.keys.last], "frugal, pstore #{pstores.keys.last}", pstores.values.last)
        @store = rival(["store"], STORE, *libraries.sqlite3)
        @jrubies = jrubies_of(pstores.keys.last, pstores.values.last)
        @none = rival(["none"], "a dump, a write and a sync alone")
        @processes = {}
      end

      # @return [Array<Side>] each version of pstore, without frugal
      def stocks(**options) = @stocks.map { |rival| side(rival, **options) }

      # @return [Side] the newest version of pstore, without frugal
      def stock(**options) = side(@stocks.last, **options)

      # @return [Side] the newest version of pstore, with the drop-in
      def drop_in(**options) = side(@drop_in, **options)

      # @return [Side]
      def store(**options) = side(@store, **options)

      # @return [Array<Side>] the newest version of pstore under JRuby, with and without the drop-in
      def jrubies = @jrubies.map { |rival| side(rival) }

      # @return [Side] {NoStore}: no store can be faster
      def none = side(@none)

      # @param rival [Rival]
      # @return [Bench::WorkerProcess] the process of the rival; a new one if it has died
      def process(rival)
        @processes.delete(rival) if @processes[rival]&.stopped?
        @processes[rival] ||= start(rival, "errors")
      end

      # @param errors [String] extension of the file for its standard error
      # @param prefix [Array<String>] words before the command, such as strace and its options
      # @return [Bench::WorkerProcess] a new process
      def start(rival, errors, prefix: [])
        errors = File.join(@scratch, "#{rival.name}.#{errors}")
        options = rival.load_path.flat_map { |folder| ["-I", folder] }
        options << "--disable=gems" unless rival.arguments.first == "store" # sqlite3 may be an installed gem
        Bench::WorkerProcess.new([*prefix, rival.ruby, *options, SCRIPT, *rival.arguments], errors: errors)
      end

      # @return [void]
      def stop = @processes.each_value(&:stop)

      private

      def rival(arguments, label, *load_path, ruby: RbConfig.ruby)
        Rival.new(arguments: arguments, label: label, load_path: load_path, ruby: ruby)
      end

      def jrubies_of(version, folder)
        unless Bench::JRuby.version
          @notes << Bench::JRuby::ABSENT
          return []
        end
        %w[drop-in stock].zip(["JRuby, frugal", "JRuby"]).map do |code, label|
          rival([code, version], "#{label}, pstore #{version}", folder, ruby: Bench::JRuby::COMMAND)
        end
      end

      def side(rival, **options)
        label = [rival.label, *options.map { |name, value| value == true ? name : value.inspect }].join(", ")
        Side.new(rival, label, options)
      end
    end
  end
end
