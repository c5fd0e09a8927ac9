# frozen_string_literal: true

module Frugal
  module CLIFiles
    # All commands, in the order of `frugal --help`.
    module Pages
      # One man page. The page of `frugal` itself has no definition.
      Page = Struct.new(:name, :definition) do
        # @return [String] such as "frugal-bench-rake"
        def file_name = name.tr(" ", "-")
      end

      class << self
        # @return [Array<CLI::Definition>] the commands, and each benchmark below `frugal bench`
        def definitions
          @definitions ||= CLI::COMMANDS.map { |name| CLI::Definition[name] } + benchmarks
        end

        # @return [Array<Page>]
        def all
          [Page.new("frugal"), *definitions.map { |definition| Page.new("frugal #{definition.name}", definition) }]
        end

        private

        def benchmarks
          CLI::Benchmarks.names.map do |name|
            require CLI::Benchmarks.script(name)
            CLI::Definition["bench #{name}"]
          end
        end
      end
    end
  end
end
