# frozen_string_literal: true

require "json"

module Frugal
  module CLI
    module Store
      # One run of `frugal store`. Each public method is a command and returns its exit
      # status.
      class Commands
        # @param options [Hash] +:json+, +:force+, +:engine+, +:serializer+
        def initialize(**options)
          @options = options
          @report = Report.new($stdout)
        end

        def stats(path)
          stats = Frugal::Store::Upkeep.of(path).stats
          return @report.stats(path, stats) unless @options[:json]

          largest = stats[:largest].map { |key, bytes| { key: Data.of(key), bytes: bytes } }
          json(**name(:path, path), **stats, largest: largest)
        end

        def verify(path)
          upkeep = Frugal::Store::Upkeep.of(path)
          report_problem(path, upkeep.problem, upkeep)
        rescue Frugal::CorruptStore => e
          report_problem(path, e.message)
        end

        def dump(path)
          Frugal::Store::Upkeep.of(path).store.each { |key, value| json(key: Data.of(key), value: Data.of(value)) }
          0
        end

        def compact(path)
          before, after = Frugal::Store::Upkeep.of(path).compact
          return json(**name(:path, path), before: before, after: after) if @options[:json]

          @report.compacted(path, before, after)
        end

        def convert(path, target)
          conversion = Frugal::Store::Conversion.new(path, target, **@options.slice(:force, :engine, :serializer))
          roots = Progress.new($stderr, $stdout).during_all do |progress|
            conversion.call { |done, all| progress.at(done, all) }
          end
          return json(**name(:from, path), **name(:to, target), **conversion.to, roots: roots) if @options[:json]

          @report.converted(path, target, roots, conversion.to)
        end

        private

        def report_problem(path, problem, upkeep = nil)
          problem &&= shorten(path, problem)
          if @options[:json]
            json(**name(:path, path), sound: problem.nil?, **upkeep&.format.to_h, **{ problem: problem&.scrub }.compact)
          elsif problem
            @report.damaged(path, problem)
          else
            @report.sound(path, upkeep.sizes.size, upkeep.format)
          end
          problem ? 1 : 0
        end

        # Removes the path, which the report already shows, and the advice to run `frugal store verify`.
        def shorten(path, problem)
          problem.b.delete_prefix("#{path} ".b).sub(/; next: .*\z/m, "").force_encoding(Encoding::UTF_8)
        end

        # JSON is UTF-8, and a path can be any bytes. A path that is not valid UTF-8 is written twice, the second
        # time in Base64, as in `frugal walk`.
        def name(member, path)
          return { member => path } if path.valid_encoding?

          { member => path.scrub("\uFFFD"), (member == :path ? :base64 : :"#{member}_base64") => [path].pack("m0") }
        end

        def json(object)
          $stdout.write(JSON.generate(object) << "\n")
          0
        end
      end
    end
  end
end
