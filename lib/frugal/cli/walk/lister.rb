# frozen_string_literal: true

module Frugal
  module CLI
    module Walk
      # One run of the command: walks each DIR, passes the results to {Text} or {JSONLines}, and reports the directories
      # that could not be read.
      class Lister
        # @param roots [Array<String>]
        # @param options [Hash] the options of {Frugal::Walk#walk}
        # @param form [Hash] the form of the output: +:json+, +:null+
        def initialize(roots, options, **form)
          @roots = roots
          @options = { **options, on_error: method(:report) }
          @progress = Progress.new($stderr, $stdout)
          @output = Output.new($stdout, @progress)
          @format = form[:json] ? JSONLines.new(@output) : Text.new(@output, null: form[:null])
        end

        # @param mode [Symbol] +:paths+, +:stats+, +:counts+ or +:usage+
        # @return [Boolean] whether everything could be read
        def run(mode)
          @progress.during do
            __send__(mode)
            @output.finish
          end
          !@failed
        end

        private

        def paths
          each_root do |root|
            Frugal.each_path(root, **@options) do |path|
              @progress.step
              @format.path(path)
            end
          end
        end

        def stats
          each_root { |root| Frugal.walk(root, **@options, stat: %i[mtime size])&.tap { |list| @format.stats(list) } }
        end

        def counts
          counts = each_root { |root| Frugal.count(root, **@options.except(:sort)) }
          @format.counts(counts) unless counts.empty?
        end

        def usage
          usages = each_root { |root| Frugal::Walk::DiskUsage.of(root, **@options) }.map(&:last)
          return if usages.empty?

          directories = usages.flat_map(&:directories).sort_by.with_index { |(_, bytes), i| [bytes, i] }
          @format.usage(directories, total: usages.sum(&:total), paths: usages.sum(&:paths), left_out: left_out)
        end

        def left_out = @options[:hidden] ? nil : "hidden ones not included (--hidden)"

        # @return [Array<Array(String, Object)>] each DIR that could be read, and the result of the block for it
        def each_root
          @roots.filter_map do |root|
            result = read(root) { yield root }
            [root, result] if result
          end
        end

        # The block returns nil for a miss: the path does not exist, or is not a directory.
        #
        # @return [Object, nil] the result of the block; nil after an error
        def read(root)
          result = yield
          report(root, Frugal.exist?(root) ? Errno::ENOTDIR.new : Errno::ENOENT.new) if result.nil?
          result
        rescue SystemCallError => e
          report(root, e)
        end

        # @return [nil]
        def report(path, error)
          @failed = true
          message = "frugal: walk: #{Names.displayed(path, $stderr)}: #{Complaint.reason(error)}"
          @progress.aside { $stderr.puts(message) }
        end
      end
    end
  end
end
