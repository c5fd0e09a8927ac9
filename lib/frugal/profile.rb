# frozen_string_literal: true

require_relative "error"

module Frugal
  # Records the file calls and the exceptions of a program, finds the waste in them and reports it.
  #
  #   recording = Frugal::Profile::Run.new(%w[rake -s]).call
  #   findings = Frugal::Profile::Analyzer.new(recording, Frugal::Profile::CostModel.calibrate).findings
  #   Frugal::Profile::Report::Terminal.of(recording, findings)
  #
  # Each part is loaded when it is used.
  module Profile
    autoload :Run, "#{__dir__}/profile/run"
    autoload :Signals, "#{__dir__}/profile/signals"
    autoload :Log, "#{__dir__}/profile/log"
    autoload :Call, "#{__dir__}/profile/events"
    autoload :Raise, "#{__dir__}/profile/events"
    autoload :Kinds, "#{__dir__}/profile/kinds"
    autoload :StandardStreams, "#{__dir__}/profile/standard_streams"
    autoload :Recording, "#{__dir__}/profile/recording"
    autoload :Finding, "#{__dir__}/profile/finding"
    autoload :Analyzer, "#{__dir__}/profile/analyzer"
    autoload :CostModel, "#{__dir__}/profile/cost_model"
    autoload :Groups, "#{__dir__}/profile/groups"
    autoload :Agents, "#{__dir__}/profile/agents"
    autoload :Answers, "#{__dir__}/profile/answers"
    autoload :Ignoring, "#{__dir__}/profile/ignoring"
    autoload :Origins, "#{__dir__}/profile/origins"
    autoload :Diff, "#{__dir__}/profile/diff"

    # The forms of a profile. Each has `of(recording, findings)`, which returns a String.
    module Report
      autoload :Terminal, "#{__dir__}/profile/report/terminal"
      autoload :JSON, "#{__dir__}/profile/report/json"
      autoload :HTML, "#{__dir__}/profile/report/html"
      autoload :Speedscope, "#{__dir__}/profile/report/speedscope"
      autoload :Firefox, "#{__dir__}/profile/report/firefox"
      autoload :Words, "#{__dir__}/profile/report/words"
      autoload :Difference, "#{__dir__}/profile/report/difference"
      autoload :DifferenceMarkdown, "#{__dir__}/profile/report/difference_markdown"
      autoload :SARIF, "#{__dir__}/profile/report/sarif"
    end
  end
end
