# frozen_string_literal: true

module Frugal
  module CLI
    module Walk
      # Results as lines of text.
      class Text
        UNITS = %w[B KiB MiB GiB TiB PiB EiB].freeze

        # @param output [Output]
        # @param null [Boolean] a NUL byte ends each line
        def initialize(output, null: false)
          @output = output
          @null = null
          @end = null ? "\0" : "\n"
          @unquoted = null || !output.io.tty?
        end

        def path(path) = line(name(path))

        # @param list [PathList] with both columns
        def stats(list)
          sizes = list.column(:size)
          width = sizes.max.to_s.size
          list.to_a.zip(list.column(:mtime), sizes) do |path, mtime, size|
            line("#{Time.at(0, mtime, :nsec).strftime("%F %T")}  #{size.to_s.rjust(width)}  ", name(path))
          end
        end

        # @param counts [Array<Array(String, Integer)>] DIR and number of paths
        def counts(counts)
          return line(counts.first.last.to_s) if counts.one?

          width = counts.sum(&:last).to_s.size
          counts.each { |root, count| line("#{count.to_s.rjust(width)}  ", name(root)) }
          line(Paint.bold("#{counts.sum(&:last).to_s.rjust(width)}  total", @output.io))
        end

        # @param directories [Array<Array(String, Integer)>] path and bytes, the largest last
        # @param total [Integer] bytes
        # @param paths [Integer] number of paths
        # @param left_out [String, nil] which paths were not counted
        def usage(directories, total:, paths:, left_out: nil)
          directories.each { |path, bytes| line("#{human(bytes)}  ", name(path)) }
          line(Paint.bold("#{human(total)}  total", @output.io))
          return if @null # a program reads the output

          line
          number = "#{paths} #{paths == 1 ? "path" : "paths"}"
          line(["sum of the sizes of #{number}", "a file with two names counts twice", *left_out].join("; "))
        end

        private

        # Joins the parts as binary strings, since their encodings can differ.
        def line(*parts)
          @output.write(parts.map(&:b).join << @end)
        end

        def name(path) = @unquoted ? path : Names.displayed(path, @output.io)

        # "  12 B  ", "12.0 KiB": ten columns.
        def human(bytes)
          power = 0
          value = bytes.to_f
          while value >= 1023.95 && power < UNITS.size - 1
            value /= 1024
            power += 1
          end
          format(power.zero? ? "%6d %-3s" : "%6.1f %-3s", value, UNITS[power])
        end
      end
    end
  end
end
