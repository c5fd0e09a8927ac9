# frozen_string_literal: true

require_relative "paint"
require_relative "complaint"
require_relative "definition"
require_relative "../../frugal"
require_relative "../readable"
require_relative "../walk/disk_usage"
%w[names progress output text json_lines lister].each { |file| require_relative "walk/#{file}" }

module Frugal
  module CLI
    # The command `frugal walk`. {Frugal::Walk} reads the directories.
    module Walk
      # At most one of these options can be given.
      MODES = { stat: :stats, count: :counts, du: :usage }.freeze
      FORMATS = %i[null json].freeze
      private_constant :FORMATS

      class << self
        # @param argv [Array<String>] options and directories
        # @return [Integer] exit status
        def run(argv)
          options, roots = Definition["walk"].parse(argv, ext: method(:endings), follow: method(:follow))
          check(options)
          list(roots.empty? ? ["."] : roots, options)
        rescue Output::Closed
          0
        rescue Interrupt
          die_of_interrupt
        end

        private

        def endings(names)
          return names unless names.empty? || names.include?("")

          raise UsageError, "--ext: an ending is empty; --ext rb,c lists names that end in .rb or .c"
        end

        def follow(how)
          return how.to_sym if %w[paths once].include?(how)

          raise UsageError, "--follow: must be paths or once (got #{how})"
        end

        def check(options)
          modes = (options.keys & MODES.keys).map { |name| "--#{name}" }
          raise UsageError, "#{modes.join(" and ")} cannot be combined" if modes.size > 1
          return unless options[:null] && options[:json]

          raise UsageError, "-0 and --json cannot be combined: JSON lines end with a line break, and contain no other"
        end

        def list(roots, options)
          walk_options = options.except(*MODES.keys, *FORMATS)
          mode = MODES[(options.keys & MODES.keys).first] || :paths
          Lister.new(roots, walk_options, **options.slice(*FORMATS)).run(mode) ? 0 : 1
        end

        # Ends by the signal SIGINT itself, so that a loop in a shell ends, too. The shell shows status 130.
        def die_of_interrupt
          trap(:INT, "SYSTEM_DEFAULT")
          Process.kill(:INT, Process.pid)
          sleep
        end
      end
    end
  end
end
