# frozen_string_literal: true

# A rival's process: it loads one code, reads requests from standard input and
# answers each, until there are no more (see ../support/guest_process.rb):
#
#   ruby -I PSTORE/lib bench/pstore/guest.rb stock|drop-in|store|none [VERSION]
require "fileutils"
require_relative "no_store"
require_relative "../support/guest"
require_relative "work"

module Frugal
  module PStoreBench
    # What the drop-in and the library of this checkout need no -I for.
    LIB = File.expand_path("../../lib", __dir__)

    # Its public methods but +serve+ are the requests.
    class Guest < Bench::Guest
      # Seconds; a file that was written just now cannot be told by its times.
      SETTLED = 0.03

      def initialize(code, version = nil)
        super()
        @code = code
        @version = version
        load_code
      rescue LoadError => error
        @failure = Missing.new(error.message)
      rescue RuntimeError => error
        @failure = error
      end

      # @param path [String] the rival's own file
      # @param base [String] a store as PStore has it, which is copied there; not for SQLite,
      #   which keeps its own for the next action
      # @param kind [String] see {Contents}
      # @param roots [Integer]
      # @param options [Hash] of the store
      def prepare(path, base, kind, roots, options)
        contents = Contents.new(kind, roots)
        options[:engine] == :sqlite ? fill(path, contents, options) : FileUtils.cp(base, path)
        @work = Work.new(path, contents) { open(path, options) }
        nil
      end

      # @return [Float] seconds of so many transactions
      def run(action, count) = @work.run(action, count)

      # The same between two marks, for strace.
      def count(action, count, mark, end_mark)
        sleep SETTLED
        @work.run(action, 3) # the first call of anything loads and grows what later calls find there
        GC.disable # a finalizer that closes something would be counted here
        File.exist?(mark)
        @work.run(action, count)
        File.exist?(end_mark)
        GC.enable
        nil
      end

      # Whether the file has what was written.
      def check
        @work.check
        nil
      end

      # The memory of a large store is not the next one's cost.
      def forget
        @work = nil
        GC.start
        nil
      end

      private

      def load_code
        case @code
        when "stock" then load_stock
        when "drop-in" then load_drop_in
        when "store" then load_store
        end
      end

      def load_stock
        require "pstore"
        raise "this is pstore #{PStore::VERSION}, not #{@version}" unless PStore::VERSION == @version
      end

      def load_drop_in
        load_stock
        $LOAD_PATH.unshift(LIB)
        require "frugal/pstore"
        state = Frugal::Dropin.status.find { |drop_in| drop_in.name == :pstore }
        raise "the drop-in is #{state.state}: #{state.reason}" unless state.state == :on
      end

      def load_store
        $LOAD_PATH.unshift(LIB)
        require "frugal/store"
      end

      def open(path, options)
        case @code
        when "store" then Frugal::Store.new(path, **options)
        when "none" then NoStore.new(path)
        else PStore.new(path).tap { |store| store.ultra_safe = true if options[:ultra_safe] }
        end
      rescue StandardError => error
        raise unless @code == "store" && Frugal::UsageError === error

        raise Missing, error.message # an engine, a durability, or the gem behind it
      end

      def fill(path, contents, options)
        return if File.exist?(path)

        open(path, options).transaction { |store| contents.each { |key, value| store[key] = value } }
      end
    end
  end
end

Frugal::PStoreBench::Guest.new(*ARGV).serve
