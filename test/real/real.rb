# frozen_string_literal: true

require "optparse"
require_relative "project"
require_relative "runner"
require_relative "report"
require_relative "../../lib/frugal/cli/complaint"

module Real
  HELP = <<~TEXT
    usage: ruby test/real/real.rb [options]        (or: rake real, or rake real ONLY=builder,yard)

    Runs real programs stock and under `frugal run`, each in an identical fresh copy
    of its tree at the same path, and compares their output, exit status and tree:
    names, modes and contents, also of the home folder and of temporary files. Stock
    runs twice, before and after frugal. Output that differs between its two runs is
    not a difference (test/real/normaliser.rb has the rules).

      ruby test/real/real.rb --list              list the projects
      ruby test/real/real.rb --only builder      one project, the C engine
      ruby test/real/real.rb --engine pure       all, the pure engine
      ruby test/real/real.rb --only yard --keep  then compare tmp/real/runs/yard/* by hand

    options:
      --only A,B       these projects only
      --engine NAME    c (default) or pure
      --quick          only the projects that bin/test runs, too
      --no-drop-ins    skip the fourth run, which lists the drop-ins that are on
      --keep           keep the trees of the runs in tmp/real/runs
      --list           name the projects and end

    The first run installs pinned gems from RubyGems into tmp/real, which
    `rake clean` removes. Nothing else on the machine changes. All projects take
    about 15 minutes. A project is a few lines in test/real/corpus.

    Exit status: 0 no difference; 1 a project differs; 2 a project does not run
    here, stock differs from itself, or wrong usage.
  TEXT

  # The command line.
  class Command
    def initialize(argv)
      @options = { engine: "c", drop_ins: true, keep: false }
      rest = parser.parse(argv)
      raise OptionParser::NeedlessArgument, rest.first if rest.any?
    end

    # @return [Integer] the exit status
    def call
      return list if @options[:list]

      projects = chosen
      runner = Runner.new(**@options.slice(:engine, :drop_ins, :keep)) { |line| say(line) }
      install(projects)
      results = projects.map do |project|
        runner.run(project).tap { |result| say("#{project.name}: #{Report::WORDS[result.verdict]}") }
      end
      Report.new(results, @options[:engine]).print
    end

    private

    def say(line) = warn("real: #{line}")

    # Installs the gems of all projects at once, since each installation reads the whole index. If it fails, each
    # project installs its own.
    def install(projects)
      Store.install(projects) { |line| say(line) }
    rescue Broken => e
      say(e.message)
    end

    def chosen
      all = Corpus.projects
      unknown = (@options[:only] || []) - all.map(&:name)
      raise OptionParser::InvalidArgument, "#{unknown.first}: no such project; --list names them" if unknown.any?

      all = all.select { |project| @options[:only].include?(project.name) } if @options[:only]
      @options[:quick] ? all.select(&:quick?) : all
    end

    def list
      width = Corpus.projects.map { |project| project.name.size }.max
      Corpus.projects.each do |project|
        puts "#{project.name.ljust(width)}  #{project.about}#{" (quick)" if project.quick?}"
      end
      0
    end

    def parser
      OptionParser.new do |parser|
        parser.on("--only NAMES", Array) { |names| @options[:only] = names }
        parser.on("--engine NAME", %w[c pure]) { |name| @options[:engine] = name }
        parser.on("--quick") { @options[:quick] = true }
        parser.on("--[no-]drop-ins") { |wanted| @options[:drop_ins] = wanted }
        parser.on("--keep") { @options[:keep] = true }
        parser.on("--list") { @options[:list] = true }
        parser.on("-h", "--help") { puts(HELP) || exit }
      end
    end
  end
end

if $PROGRAM_NAME == __FILE__
  begin
    $stdout.sync = true
    exit Real::Command.new(ARGV).call
  rescue OptionParser::ParseError => e
    warn "real: #{Frugal::CLI::Complaint.words(e)}", "real: next: ruby test/real/real.rb --help"
    exit 2
  end
end
