# frozen_string_literal: true

require "rbconfig"

module Frugal
  module CLI
    # <tt>frugal bench</tt>: the scripts of bench/, which the gem brings along.
    module Bench
      SUMMARY = "repeat the measurements that are quoted anywhere"
      HELP = <<~TEXT
        usage: frugal bench [NAME [arguments]]

        Runs a benchmark on this machine: rivals and frugal in turn, medians and ratios.
        Without a name it lists what there is.

          frugal bench                 the names
          frugal bench startup         what `frugal run` adds to short programs
          frugal bench rake            Rake with 10,000 and 50,000 files, and its rivals
          frugal bench probes          what may be missing: rescue, stat first, or a probe
          frugal bench links           listing trees, with links and without
          frugal bench pstore          transactions of PStore, on a small store and on a million roots
          frugal bench errors          errors of an HTTP server: what they cost beside a page
          frugal bench rake --help     what that one can do

        next: frugal bench
      TEXT

      FOLDER = File.expand_path("../../../bench", __dir__)

      class << self
        # @param argv [Array<String>] the name of a benchmark, and its arguments
        # @return [Integer] exit status; a benchmark takes this process over
        # @raise [UsageError] for an unknown name
        def run(argv)
          name, *rest = argv
          return list unless name
          raise UsageError, unknown(name) unless scripts.key?(name)

          exec(RbConfig.ruby, scripts[name], *rest)
        end

        private

        def list
          width = scripts.keys.map(&:size).max.to_i
          scripts.each { |name, file| puts "#{name.ljust(width)}  #{summary(file)}".rstrip }
          puts "", "next: frugal bench #{scripts.keys.first || "--help"}"
          0
        end

        def scripts
          @scripts ||= Dir.glob("*.rb", base: FOLDER).sort.to_h do |file|
            [File.basename(file, ".rb"), File.join(FOLDER, file)]
          end
        end

        # The first sentence above the code.
        def summary(file)
          comments = File.foreach(file).lazy.map(&:strip).take_while { |line| line.empty? || line.start_with?("#") }
          words = comments.reject { |line| line.empty? || line.match?(/\A#(!|.*frozen_string_literal|\s*\z)/) }
          words.first(1).join.delete_prefix("#").strip
        end

        def unknown(name)
          "there is no benchmark #{name}; there is: #{scripts.keys.join(", ")}"
        end
      end
    end
  end
end
