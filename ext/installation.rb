# frozen_string_literal: true

require "etc"
require "fileutils"
require "rbconfig"
require "shellwords"
require_relative "toolchain"

# Compiles what the gem can compile on this machine, into lib/frugal/native. All of it is optional: without the C
# engine frugal is plain Ruby, and without the recorder `frugal profile` sees Ruby's own file methods only. One line
# reports what is missing and how to get it.
#
#   Installation.new([]).call   # => true
class Installation
  ROOT = File.expand_path("..", __dir__)
  NATIVE = "#{ROOT}/lib/frugal/native/#{RUBY_ENGINE}-#{RUBY_VERSION[/\A\d+\.\d+/]}-#{RUBY_PLATFORM}".freeze
  BUILD = File.join(__dir__, "build")
  WITHOUT_FRUGAL = { "RUBYOPT" => nil, "FRUGAL" => nil }.freeze

  # @param arguments [Array<String>] the arguments after `gem install frugal --`, for extconf.rb
  def initialize(arguments)
    @arguments = arguments
  end

  # @return [Boolean] false only if RubyGems cannot continue, because there is no rake
  def call
    return without_rake unless rake?
    return true unless RUBY_ENGINE == "ruby" # the gem of the platform java has an engine in Java

    FileUtils.mkdir_p(NATIVE)
    engine and recorder
    launcher
    make_bytecode
    true
  ensure
    FileUtils.rm_rf(BUILD)
  end

  private

  # Whether rake is installed, checked as RubyGems checks it.
  def rake?
    ENV["rake"] || Gem::Specification.find_all_by_name("rake").any? || Toolchain.command?("rake")
  end

  def without_rake
    puts "frugal: RubyGems needs rake to install this gem: gem install rake"
    false
  end

  # @return [Boolean] whether it was compiled
  def engine
    problem = Toolchain.problem || compile("frugal")
    return true unless problem

    tell "frugal: the C engine was not compiled (#{problem}), so frugal runs in plain Ruby. " \
         "To get it: #{Toolchain.remedy}, then gem pristine frugal"
    false
  end

  def recorder
    problem = compile("frugal_recorder")
    tell "frugal: the recorder of frugal profile was not compiled (#{problem})" if problem
  end

  # Compiles the launcher. Without it, exe/frugal executes the shell script.
  def launcher
    return if Toolchain.problem

    made = run(RbConfig.ruby, "frugal_launcher/compile.rb", "#{NATIVE}/frugal-run", chdir: __dir__)
    puts "frugal: no launcher was compiled" unless made
  end

  # @param name [String] a folder with an extconf.rb
  # @return [String, nil] why it was not compiled
  def compile(name)
    # A relative path, since make splits an absolute one at its spaces.
    folder = FileUtils.mkdir_p(File.join(BUILD, name)).first
    extconf = [RbConfig.ruby, "../../#{name}/extconf.rb", "--enable-stripped", *@arguments]
    return log(folder) || "#{name}/extconf.rb failed, see gem_make.out" unless run(*extconf, chdir: folder)
    return "it does not compile, see gem_make.out" unless run(*make, chdir: folder)

    Dir.glob("*.{so,bundle}", base: folder).each { |library| keep(File.join(folder, library)) }
    nil
  end

  # Replaces a library by a rename, so that a running process keeps the old one.
  def keep(library)
    target = File.join(NATIVE, File.basename(library))
    FileUtils.cp(library, "#{target}.#{Process.pid}")
    File.rename("#{target}.#{Process.pid}", target)
  end

  def make
    jobs = ["-j#{Etc.nprocessors}"] unless ENV["MAKEFLAGS"]
    [*Toolchain.make, *jobs]
  end

  # Prints the log of mkmf, which is about to be removed.
  def log(folder)
    puts File.read(File.join(folder, "mkmf.log"))
  rescue SystemCallError
    nil
  end

  # Makes the bytecode. Without it, `frugal run` loads the sources.
  def make_bytecode
    made = run(WITHOUT_FRUGAL, RbConfig.ruby, "frugal/bytecode.rb", chdir: __dir__)
    puts "frugal: no bytecode was made" unless made
  end

  def run(*command, **options)
    system(*command, **options, err: :out) || false
  end

  # RubyGems writes what this process prints to gem_make.out, and shows that only if an installation fails. So the
  # line also goes to the standard error of RubyGems, or to the terminal.
  def tell(line)
    puts line
    ["/proc/#{Process.ppid}/fd/2", "/dev/tty"].find do |file|
      File.open(file, File::WRONLY | File::APPEND | File::NONBLOCK | File::NOCTTY) { |io| io.puts(line) } || true
    rescue SystemCallError
      false
    end
  end
end

$stdout.sync = true # the programs that it starts write to the same file
