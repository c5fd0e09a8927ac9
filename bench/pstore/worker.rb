# frozen_string_literal: true

# The process of one rival: it loads one implementation, reads requests from standard
# input and answers them (see ../support/worker_process.rb):
#
#   ruby -I PSTORE/lib bench/pstore/worker.rb stock|drop-in|store|none [VERSION]
require "fileutils"
require_relative "no_store"
require_relative "../support/worker"
require_relative "work"

module Frugal
  module PStoreBench
    # The library of this checkout.
    LIB = File.expand_path("../../lib", __dir__)

    # Its public methods, except `serve`, are the requests that it answers.
    class Worker < Bench::Worker
      # Seconds to wait after a file was written. Before that, the times of the file cannot show another change.
      SETTLED = 0.03

      # @param code [String] stock, drop-in, store or none
      # @param version [String, nil] of pstore
      def initialize(code, version = nil)
        super()
        @code = code
        @version = version
        load_code
      rescue LoadError => e
        @failure = Missing.new(e.message)
      rescue RuntimeError => e
        @failure = e
      end

      # @param path [String] the file of this rival
      # @param base [String] a store in PStore's format, which is copied to the path; not for
      #   SQLite, whose file is created once and reused for the next action
      # @param kind [String] see {Contents}
      # @param roots [Integer]
      # @param options [Hash] of the store
      def prepare(path, base, kind, roots, options)
        contents = Contents.new(kind, roots)
        options[:engine] == :sqlite ? fill(path, contents, options) : FileUtils.cp(base, path)
        @work = Work.new(path, contents) { open(path, options) }
        nil
      end

      # @return [Float] seconds of `count` transactions
      def run(action, count) = @work.run(action, count)

      # Runs transactions between two marks in the trace of strace.
      def count(action, count, mark)
        sleep SETTLED
        @work.run(action, 3) # first calls may load files and fill caches, so they do not count
        marked(mark) { @work.run(action, count) }
        nil
      end

      # @raise [RuntimeError] if the file does not contain what was written
      def check
        @work.check
        nil
      end

      # Frees the memory of the store before the next one is measured.
      def release
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
        raise "pstore is version #{PStore::VERSION} instead of #{@version}" unless PStore::VERSION == @version
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
      rescue StandardError => e
        raise unless @code == "store" && Frugal::UsageError === e

        raise Missing, e.message # the engine, the durability, or its gem is not available
      end

      def fill(path, contents, options)
        return if File.exist?(path)

        open(path, options).transaction { |store| contents.each { |key, value| store[key] = value } }
      end
    end
  end
end

Frugal::PStoreBench::Worker.new(*ARGV).serve
