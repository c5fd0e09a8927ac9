# frozen_string_literal: true

module Frugal
  class Compare
    Counts = Struct.new(:allocations, :exceptions, :processes, :lost, :dropins, keyword_init: true)

    # The result of one counting run: allocations and exceptions of all its Ruby
    # processes, and the state of each drop-in.
    #
    #   Counts.read("counts.txt").allocations   # => 1_234_567
    #
    # `lost` is the number of processes that wrote no counts because they ended by
    # exec, exit! or a signal. Their allocations are not in the sums. `allocations` is nil
    # if a process could not count them, as under JRuby.
    class Counts
      # Of the states that the processes report for a drop-in, the first in this list is used.
      STATES = %w[on aside waiting off].freeze
      ENVIRONMENT_NAME = "FRUGAL_COMPARE_COUNTS"
      LIBRARY = File.expand_path("../..", __dir__)
      FEATURE = "frugal/compare/counter"
      private_constant :STATES, :LIBRARY, :FEATURE

      class << self
        # The environment of a counting run. RUBYLIB names the folder of the counter,
        # because a path in RUBYOPT's -r cannot contain spaces. The counter comes first
        # in RUBYOPT, so that its at_exit handler is registered first and runs last.
        #
        # @param path [String] the file that receives the counts
        # @param own [#[]] the variables that the command has without counting
        # @return [Hash{String => String}]
        def environment(path, own = ENV)
          {
            ENVIRONMENT_NAME => path,
            "RUBYOPT" => ["-r#{FEATURE}", own["RUBYOPT"]].compact.join(" ").strip,
            "RUBYLIB" => [own["RUBYLIB"], LIBRARY].reject { |part| part.to_s.empty? }.join(File::PATH_SEPARATOR)
          }
        end

        # @param path [String] a file that counter.rb wrote
        # @return [Counts, nil] nil if no Ruby process ran
        def read(path)
          return unless File.exist?(path)

          by_kind = File.readlines(path, chomp: true).map { |line| line.split("\t") }.group_by(&:shift)
          started = by_kind.fetch("start", [])
          ended = by_kind.fetch("end", [])
          new(allocations: allocations(ended), exceptions: ended.sum { |fields| fields[2].to_i },
              processes: started.size, lost: started.size - ended.size,
              dropins: dropins(by_kind.fetch("dropin", [])))
        end

        private

        def allocations(ended) = (ended.sum { |fields| fields[1].to_i } unless ended.any? { |fields| fields[1].empty? })

        def dropins(notes)
          notes.group_by(&:first).map do |name, all|
            _, state, reason = all.min_by { |_, its_state| STATES.index(its_state) || STATES.size }
            { name: name, state: state, reason: reason }
          end
        end
      end
    end
  end
end
