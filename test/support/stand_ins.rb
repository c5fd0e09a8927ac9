# frozen_string_literal: true

require "json"
require "tmpdir"
require "frugal/profile"
require "frugal/profile/recording"
require_relative "ruby_events"

# Takes the place of the parts of `frugal profile` that this checkout does not have: the tests of the command line run
# `ruby -r test/support/stand_ins.rb exe/frugal`. A part that is there is used.
module StandIns
  LIB = File.expand_path("../../lib/frugal", __dir__)
  AGENT = File.expand_path("ruby_agent.rb", __dir__)
  Profile = Frugal::Profile

  # As {Frugal::Profile::Run}, but it sees Ruby processes only.
  class Run
    OPTIONS = %i[depth limit_mib agent].freeze

    def initialize(command, **options)
      raise ArgumentError, options.inspect unless (options.keys - OPTIONS).empty?

      @command = command
    end

    def call
      Dir.mktmpdir do |folder|
        status = Profile::Signals.pass_on do |signals|
          environment = { "FRUGAL_TEST_EVENTS" => folder, "RUBYOPT" => "-r#{AGENT} #{ENV["RUBYOPT"]}".strip }
          pid = spawn(environment, [@command.first, @command.first], *@command.drop(1))
          signals.to(pid)
          Process.wait2(pid).last
        end
        recording(folder, status)
      end
    rescue Errno::ENOENT, Errno::ENOTDIR, Errno::ENAMETOOLONG
      raise CommandError.new("command not found: #{@command.first}", 127)
    rescue Errno::EACCES, Errno::ENOEXEC
      raise CommandError.new("command cannot be executed: #{@command.first}", 126)
    end

    private

    def recording(folder, status)
      @calls = []
      @raises = []
      processes = Dir.children(folder).map { |name| process(*Marshal.load(File.binread(File.join(folder, name)))) }
      processes << Profile::ProcessRecord.new(status.pid, 0, @command, nil, 0, 0, {}) if processes.empty? && dynamic?
      Profile::Recording.new(command: @command, processes: processes, calls: @calls, raises: @raises, status: status)
    end

    def process(pid, ppid, argv, started, events)
      process = Profile::ProcessRecord.new(pid, ppid, argv, RUBY_VERSION, started, 0, events.map(&:first).tally)
      events.each { |event| add(process, *event) }
      process
    end

    def add(process, name, path, error, file, line)
      stack = Profile::Stack.new([Profile::Frame.new(file, line, "main")])
      if name == :raise
        @raises << Profile::Raise.new(process, 0, 0, path, [], error, stack, 1, nil)
      else
        @calls << Profile::Call.new(process, 0, 0, 0, name, error, path, nil, nil, 0, 0, 0, stack, nil)
      end
    end

    # A static program cannot be recorded.
    def dynamic?
      program = File.file?(@command.first) ? File.binread(@command.first) : ""
      !program.start_with?("\x7FELF".b) || program.include?("ld-linux")
    end
  end

  class CommandError < Frugal::Error
    attr_reader :status

    def initialize(message, status)
      super(message)
      @status = status
    end
  end

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

  module Diff
    def self.of(before, after) = "#{after["counts"]["exceptions"] - before["counts"]["exceptions"]} exceptions more\n"
  end

  def self.fill(space, name, file, part)
    return if File.exist?(File.join(LIB, file))

    space.send(:remove_const, name) if space.autoload?(name)
    space.const_set(name, part)
  end

  fill(Profile, :Run, "profile/run.rb", Run)
  fill(Profile, :CommandError, "profile/run.rb", CommandError)
  fill(Profile, :Analyzer, "profile/analyzer.rb", Analyzer)
  fill(Profile, :CostModel, "profile/cost_model.rb", CostModel)
  fill(Profile, :Diff, "profile/diff.rb", Diff)
  fill(Profile::Report, :Terminal, "profile/report/terminal.rb", Terminal)
  %i[JSON HTML Speedscope Firefox Sarif].each do |name|
    fill(Profile::Report, name, "profile/report/#{name.downcase}.rb", JSONReport)
  end
end
