# frozen_string_literal: true

require "json"
require_relative "project"
require_relative "runner"
require_relative "../../lib/frugal/profile"

module Real
  # What `frugal profile` has to find in a program of the corpus, which was seen by hand.
  #
  # `prepare` is a command that runs before, such as a first run that fills a cache; `expected` are findings, each with
  # its kind, a pattern for its file, the line of the source that it must name, and which calls it is about.
  Profile = Struct.new(:name, :project, :files, :prepare, :command, :environment, :expected, keyword_init: true)

  # One finding that must be there.
  #
  # kind:: String
  # file:: Regexp for the file
  # line:: Regexp for the text of the line of that file
  # calls:: Proc: row of the JSON → whether it is one of the superfluous calls, before any is subtracted
  # share:: Float: of these calls, at least so many are in the finding
  # fix:: Regexp
  Expected = Struct.new(:kind, :file, :line, :calls, :share, :fix, keyword_init: true)

  # Runs `frugal profile` on a program and compares its findings with what a count of the recorded calls says.
  class ProfileRun
    EXE = File.expand_path("../../exe/frugal", __dir__)
    OPENS = %w[open openat fopen].freeze
    WORTH = 0.02 # of the CPU time

    # @param profile [Profile]
    def initialize(profile, &progress)
      @profile = profile
      project = Corpus.projects.find { |one| one.name == profile.project }
      @store = Store.new(project, &progress)
    end

    # @return [Array<String>] what is wrong; empty if all was found
    # @raise [LeftOut, Broken]
    def problems
      @store.provide
      @store.restore
      @profile.files.each { |name, content| write(name, content) }
      run(@profile.prepare) if @profile.prepare
      report = run([RbConfig.ruby, EXE, "profile", "--all", "--json", json, "--", *@profile.command])
      judge(JSON.parse(File.read(json)), report)
    ensure
      @store.remove_runs
    end

    private

    def json = File.join(@store.work, "profile.json")

    def write(name, content)
      file = File.join(@store.tree, name)
      FileUtils.mkdir_p(File.dirname(file))
      File.write(file, content)
    end

    # @return [String] standard error
    def run(command)
      log = File.join(@store.work, "log")
      words = command.map { |word| fill(word) }
      environment = @store.environment.merge(@profile.environment.transform_values { |value| fill(value) })
      fine = system(environment, *words, chdir: @store.tree, in: File::NULL, out: File::NULL, err: log)
      return File.read(log) if fine || $?.exitstatus == 1 # RuboCop has found offences

      raise Broken, "#{words.join(" ")}: #{File.readlines(log).last(5).join}"
    end

    def fill(text)
      text.gsub("%{work}", @store.work).gsub(/%\{gem:([\w-]+)\}/) { @store.gem_folder($1) }
    end

    def judge(document, report) = @profile.expected.flat_map { |expected| missing(expected, document, report) }

    def missing(expected, document, report)
      of_kind = document["findings"].select { |finding| finding["kind"] == expected.kind }
      found = of_kind.select { |finding| expected.file.match?(finding["file"].to_s) }
                     .max_by { |finding| finding["count"] }
      return ["no #{expected.kind} in #{expected.file.source}"] unless found

      [wrong_line(expected, found), too_few(expected, found, document), wrong_fix(expected, found),
       wrong_worth(found, document["cpu_us"], report)].compact
    end

    def wrong_line(expected, found)
      text = File.readlines(found["file"])[found["line"] - 1].to_s
      "#{expected.kind} at #{found["file"]}:#{found["line"]}: #{text}" unless expected.line.match?(text)
    end

    def too_few(expected, found, document)
      all = document["calls"].sum { |row| expected.calls.call(row) ? row["count"] : 0 }
      return if all.positive? && found["count"] >= all * expected.share

      "#{expected.kind}: #{found["count"]} calls, but #{all} were recorded"
    end

    def wrong_fix(expected, found)
      "#{expected.kind}: its fix is #{found["fix"]}" unless expected.fix.match?(found["fix"])
    end

    # Whether a change is worth it follows from the time.
    def wrong_worth(found, cpu_us, report)
      origins = Frugal::Profile::Origins.new(@store.tree)
      place = found["lines"] ? "require, at #{found["lines"]} lines" : "#{origins.of(found["file"])}:#{found["line"]}"
      title = report.lines.find { |line| line.include?(place) && line.match?(/: [a-z ]+(;|$)/) }
      return "the report does not show #{place}" unless title
      return if title.include?("not worth it") == (found["saved_us"] < WORTH * cpu_us)

      "#{found["saved_us"]} of #{cpu_us} µs, but the report says: #{title.strip}"
    end
  end

  # The programs.
  PROFILES = [
    Profile.new(
      name: "jekyll", project: "jekyll", environment: {},
      files: 400.times.to_h do |n|
        [format("_posts/2023-%<month>02d-%<day>02d-more-%<n>d.md", month: (n % 12) + 1, day: (n % 28) + 1, n: n),
         "---\nlayout: post\ntitle: M#{n}\n---\n# Part\n"]
      end,
      prepare: ["ruby", "--disable-gems", "%{gem:jekyll}/exe/jekyll", "build"],
      command: ["ruby", "--disable-gems", "%{gem:jekyll}/exe/jekyll", "build"],
      expected: [
        Expected.new(kind: "load_path_misses", file: /jekyll.external/, line: /require/, share: 0.5, fix: /where it is expected/,
                     calls: ->(row) { row["errno"] == "ENOENT" && row["path"].match?(/jekyll-[a-z]+\.(rb|so)\z/) }),
        Expected.new(kind: "redundant_call", file: /jekyll.regenerator/, line: /File/, share: 0.9, fix: /Keep the answer/,
                     calls: ->(row) { row["call"] == "stat" && row["file"].to_s.end_with?("regenerator.rb") && row["line"] == 194 })
      ]
    ),
    Profile.new(
      name: "rubocop", project: "rubocop", files: {}, environment: { "RUBOCOP_CACHE_ROOT" => "%{work}/cache" },
      prepare: %w[rubocop --config .rubocop.yml --cache true --format emacs],
      command: %w[rubocop --config .rubocop.yml --cache true --format emacs],
      expected: [
        Expected.new(kind: "load_path_misses", file: //, line: /require/, share: 0.9, fix: /bootsnap/,
                     calls: ->(row) { row["errno"] == "ENOENT" && ProfileRun::OPENS.include?(row["call"]) })
      ]
    ),
    Profile.new(
      name: "rails-runner", project: "rails-test", prepare: nil, environment: { "RAILS_ENV" => "production" },
      files: { "config/boot.rb" => "require \"logger\"\n",
               "bin/rails" => "APP_PATH = File.expand_path(\"../config/application\", __dir__)\n" \
                              "require_relative \"../config/boot\"\nrequire \"rails/commands\"\n" },
      command: %w[ruby bin/rails runner 1],
      expected: [
        Expected.new(kind: "tiny_reads", file: /zoneinfo_reader\.rb\z/, line: /file\.read/, share: 0.9, fix: /at once/,
                     calls: ->(row) { row["call"] == "read" && row["file"].to_s.end_with?("zoneinfo_reader.rb") }),
        Expected.new(kind: "load_path_misses", file: //, line: /require|autoload|const/, share: 0.9, fix: /bootsnap/,
                     calls: ->(row) { row["errno"] == "ENOENT" && ProfileRun::OPENS.include?(row["call"]) })
      ]
    )
  ].freeze

  # `ruby test/real/profiles.rb [NAME ...]`: profiles real programs and checks what the report says of them. Installs gems
  # into tmp/real. Exit status 1: something was not found; 2: a program does not run here.
  def self.check_profiles(names)
    chosen = names.empty? ? PROFILES : PROFILES.select { |profile| names.include?(profile.name) }
    abort "real: available: #{PROFILES.map(&:name).join(", ")}" if chosen.size < names.size

    chosen.map { |profile| check_profile(profile) }.max
  end

  def self.check_profile(profile)
    problems = ProfileRun.new(profile) { |line| warn "real: #{profile.name}: #{line}" }.problems
    puts "#{profile.name}: #{problems.empty? ? "all found" : "NOT FOUND"}", *problems.map { |problem| "  #{problem}" }
    problems.empty? ? 0 : 1
  rescue LeftOut, Broken => e
    puts "#{profile.name}: does not run here: #{e.message}"
    2
  end
  private_class_method :check_profile
end

exit Real.check_profiles(ARGV) if $PROGRAM_NAME == __FILE__
