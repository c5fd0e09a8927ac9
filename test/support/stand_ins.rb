# frozen_string_literal: true

require "json"
require "frugal/profile/run"

# Takes the place of the parts of `frugal profile` that this checkout does not have: the tests of the command line run
# `ruby -r test/support/stand_ins.rb exe/frugal`. A part that is there is used.
module StandIns
  LIB = File.expand_path("../../lib/frugal", __dir__)
  Profile = Frugal::Profile

  # As {Frugal::Profile::Analyzer}.
  Analyzer = Struct.new(:recording, :costs) do
    def findings = []
  end

  class CostModel
    def self.calibrate = new
  end

  # As {Frugal::Profile::Report::JSON}; the other reports are the same text here.
  module JSONReport
    def self.of(recording, findings, **)
      JSON.generate({ version: 1, command: recording.command.map { |word| word.dup.force_encoding("UTF-8").scrub },
                      counts: recording.counts, findings: findings })
    end
  end

  module Terminal
    def self.of(recording, *, **) = "#{yield "#{recording.counts[:calls]} file calls"}\n"
  end

  # As {Frugal::Profile::Diff}, with its messages.
  module Diff
    class << self
      def of(before, after) = [before, after].zip(%w[first second]).map { |text, which| report(text, which) }

      private

      def report(text, which)
        version = (report = JSON.parse(text)).is_a?(Hash) ? report["version"] : nil
        raise Frugal::UsageError, "the #{which} file is not a report of `frugal profile --json`" unless version
        return report if version == 1

        raise Frugal::UsageError, "the #{which} file has version #{version} of the report; this frugal reads 1"
      rescue JSON::ParserError
        raise Frugal::UsageError, "the #{which} file is not JSON"
      end
    end
  end

  module Difference
    def self.of(reports, **) = yield("#{reports.map { |report| report["counts"]["exceptions"] }.reverse.inject(:-)} exceptions more\n")
  end

  def self.fill(space, name, file, part)
    path = File.join(LIB, file)
    return if File.exist?(path)

    space.const_set(name, part)
    $LOADED_FEATURES << path
  end

  Report = Profile.const_defined?(:Report) ? Profile::Report : Profile.const_set(:Report, Module.new)
  fill(Profile, :Analyzer, "profile/analyzer.rb", Analyzer)
  fill(Profile, :CostModel, "profile/cost_model.rb", CostModel)
  fill(Profile, :Diff, "profile/diff.rb", Diff)
  fill(Report, :Difference, "profile/report/difference.rb", Difference)
  fill(Report, :Terminal, "profile/report/terminal.rb", Terminal)
  %i[JSON HTML Speedscope Firefox SARIF].each { |name| fill(Report, name, "profile/report/#{name.downcase}.rb", JSONReport) }
end
