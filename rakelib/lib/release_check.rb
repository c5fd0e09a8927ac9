# frozen_string_literal: true

require "fileutils"
require "open3"
require "rbconfig"
require "tmpdir"
require_relative "../../bench/support/web_gems"

# Tries a gem as a user gets it: installs it into an empty folder whose name has a space, and runs the commands and
# each program of rakelib/smoke from there. A program whose upstream is neither installed nor in tmp/ is left out,
# which its line reports.
class ReleaseCheck
  ROOT = File.expand_path("../..", __dir__)
  PROGRAMS = "#{ROOT}/rakelib/smoke".freeze
  ABI = "#{RUBY_ENGINE}-#{RbConfig::CONFIG["ruby_version"]}".freeze
  GEMS = %W[tmp/caches tmp/rakes tmp/pstores tmp/stores/#{ABI}].map { |folder| File.join(ROOT, folder) }.freeze
  # Programs whose gems are in tmp/webs; the option -I adds these gems.
  WEB = %w[active_support file_update_checker sinatra rails rack].freeze
  # The environment without the settings of other gems and bundles.
  OUTSIDE = { "RUBYOPT" => nil, "RUBYLIB" => nil, "BUNDLE_GEMFILE" => nil, "FRUGAL_ENGINE" => nil, "FRUGAL" => nil,
              "NO_COLOR" => "1" }.freeze
  SIDE = "print defined?(Frugal) ? :frugal : :stock"

  # @param gem [String] the path of a gem
  def initialize(gem)
    @gem = File.expand_path(gem)
    @failed = 0
  end

  # Prints a line for each check.
  #
  # @return [Boolean] whether all of it works
  def call
    Dir.mktmpdir("frugal release ") do |folder|
      @folder = folder
      @home = File.join(folder, "gem home")
      check("install") { install } and check_all
    end
    puts "#{File.basename(@gem)}: #{@failed.zero? ? "all of it works" : "#{@failed} failed"}"
    @failed.zero?
  end

  private

  # Runs a check and prints its line. The block returns nil, or what is wrong, or :left_out and the reason.
  def check(name)
    problem, reason = yield
    @failed += 1 unless problem.nil? || problem == :left_out
    words = { nil => "ok", left_out: "left out: #{reason}" }.fetch(problem) { "FAILED: #{problem}" }
    puts format("%-24s %s", name, words)
    problem.nil?
  end

  def check_all
    check("library") { expect(/\Ac\z/, ruby("-rfrugal", "-e", "print Frugal::Native.engine_name")) }
    check_commands
    Dir.glob("*.rb", base: PROGRAMS).each do |file|
      name = File.basename(file, ".rb")
      check("frugal/#{name}") { try(name) }
    end
  end

  def check_commands
    check("frugal --version") { expect(/\Afrugal \d/, frugal("--version")) }
    check("frugal walk") { expect(%r{exe/frugal}, frugal("walk", @home)) }
    check("frugal doctor") { expect(/drop-ins/, frugal("doctor")) }
    check("frugal run") { expect(/\Afrugal\z/, frugal("run", "--", RbConfig.ruby, "-e", SIDE)) }
    check("frugal compare") { compare }
    check("frugal demo") { expect(/A site of 20 pages.*system calls/m, frugal("demo", "--pages", "20")) }
  end

  def install
    FileUtils.mkdir_p(@home)
    expect(/installed/, run("gem", "install", "--local", "--no-document", "--install-dir", @home, @gem))
  end

  def compare
    File.write(File.join(@folder, "Rakefile"), "task(:default) { File.mtime('Rakefile') }\n")
    expect(/system calls/, frugal("compare", "-n", "1", "--warmup", "0", "--", "rake", "-s"))
  end

  # Runs a program of rakelib/smoke in a new folder, and checks that its drop-in is on.
  def try(name)
    file = "#{PROGRAMS}/#{name}.rb"
    upstream = File.read(file)[/^# Requires: (.*)/, 1].to_s.split.flat_map { |feature| ["-r", feature] }
    upstream = Frugal::Bench::WebGems.options + upstream if WEB.include?(name)
    output, status = ruby(*upstream, "-e", "")
    return [:left_out, output.lines.first.to_s.strip] unless status&.success?

    state = "load ARGV[0]; puts Frugal::Dropin.status.find { |one| one.name == :#{name} }.values.join(' ')"
    state = "load ARGV[0]; puts ' on'" if name == "rack" # rack is not a drop-in
    ran = ruby(*upstream, "-rfrugal/#{name}", "-e", state, file, chdir: Dir.mktmpdir("work", @folder))
    expect(/ on\b/, ran)
  end

  def ruby(*arguments, **options) = run(RbConfig.ruby, "-W0", *arguments, **options)

  def frugal(*arguments) = run(File.join(@home, "bin/frugal"), *arguments)

  # @return [String, nil] what is wrong
  def expect(pattern, result)
    output, status = result
    return if status&.success? && output.match?(pattern)

    "#{status.to_s[/exit \d+|SIG\w+.*/] || "not started"}: #{output.lines.last(5).join.strip}"
  end

  # @return [Array(String, Process::Status)] the output; the status, or nil if the command could not be started
  def run(*command, chdir: @folder)
    path = [@home, *GEMS, *Gem.default_path].uniq.join(File::PATH_SEPARATOR)
    output, status = Open3.capture2e({ **OUTSIDE, "GEM_HOME" => @home, "GEM_PATH" => path }, *command, chdir: chdir)
    [output.scrub, status]
  rescue SystemCallError => e
    [e.message, nil]
  end
end
