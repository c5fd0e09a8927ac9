# frozen_string_literal: true

require_relative "../compare/ruby_command"
require_relative "benchmarks"
require_relative "complaint"

module Frugal
  module CLI
    # The command `frugal bench`: runs a script of `bench/`.
    module Bench
      CHECKOUT = "next: git clone https://github.com/frugal-rb/frugal, and bin/frugal bench there"
      private_constant :CHECKOUT

      class << self
        # @param argv [Array<String>] the name of a benchmark, and its arguments
        # @return [Integer] exit status; a benchmark replaces this process
        # @raise [UsageError] for an unknown name
        # @raise [Failure] in the gem
        def run(argv)
          raise Failure.new("the benchmarks are not part of the gem", CHECKOUT) if Benchmarks.names.empty?

          name, *rest = argv
          return list unless name
          raise UsageError, unknown(name) unless Benchmarks.names.include?(name)

          exec(Frugal::Compare::RubyCommand.path, Benchmarks.script(name), *rest)
        end

        private

        def list
          names = Benchmarks.names
          width = names.map(&:size).max.to_i
          names.each { |name| puts "#{name.ljust(width)}  #{Benchmarks.summary(name)}".rstrip }
          puts "", "next: frugal bench #{names.first || "--help"}"
          0
        end

        def unknown(name)
          "unknown benchmark: #{name} (available: #{Benchmarks.names.join(", ")})"
        end
      end
    end
  end
end
