# frozen_string_literal: true

require "fileutils"
require "rbconfig"
require "shellwords"

# Compiles the launcher of `frugal run`, and keeps it only if it works. bin/setup and installation.rb run it.
#
#   ruby ext/frugal_launcher/compile.rb lib/frugal/native/ruby-3.1-x86_64-linux-gnu/frugal-run
class LauncherCompiler
  ROOT = File.expand_path("../..", __dir__)
  WARNINGS = %w[-Wall -Wextra].freeze
  # A program without a C library, which makes no additional system call when it starts.
  FREESTANDING = %w[
    -DFREESTANDING -static -nostdlib -nostartfiles -ffreestanding -fno-builtin -fno-stack-protector -fno-pie -no-pie
    -fno-asynchronous-unwind-tables -fcf-protection=none -U_FORTIFY_SOURCE -Wl,--build-id=none -s
  ].freeze
  # For clang, and for a processor that has no -fcf-protection.
  PLAIN = FREESTANDING - %w[-fcf-protection=none]
  STATUS = 47
  private_constant :ROOT, :WARNINGS, :FREESTANDING, :PLAIN, :STATUS

  # @param target [String] the path of the launcher, in the folder of the compiled library
  def initialize(target)
    @target = File.expand_path(target)
    @temporary = "#{@target}.#{Process.pid}"
    @folder = "#{@temporary}.place"
  end

  # @return [Boolean] whether there is a launcher now
  def call
    FileUtils.mkdir_p(@folder)
    root = ROOT.bytes.map { |byte| format("\\%03o", byte) }.join
    File.binwrite("#{@folder}/place.h", "#define COMPILED_ROOT \"#{root}\"\n")
    done = ways.any? { |flags| compile(flags) && works? }
    done ? File.rename(@temporary, @target) : FileUtils.rm_f(@target)
    done
  ensure
    FileUtils.rm_rf([@temporary, @folder])
  end

  private

  def ways
    case RUBY_PLATFORM
    when /(?:x86_64|aarch64).*linux/ then [FREESTANDING, PLAIN, []]
    when /linux|darwin/ then [[]]
    else []
    end
  end

  def compile(flags)
    strict = "-Werror" if ENV["FRUGAL_WERROR"]
    system(*Shellwords.split(RbConfig::CONFIG["CC"]), "-std=gnu11", "-O2", *WARNINGS, *strict, *flags,
           "-I", @folder, "-o", @temporary, "#{__dir__}/launcher.c")
  end

  # Runs a command that can be executed: otherwise the launcher would only start the shell script.
  def works?
    environment = { "FRUGAL" => "0", "FRUGAL_ENGINE" => nil, "FRUGAL_PWD" => nil }
    system(environment, @temporary, "run", "--", RbConfig.ruby, "--disable=gems", "-e", "exit #{STATUS}")
    Process.last_status&.exitstatus == STATUS
  end
end

exit LauncherCompiler.new(ARGV.fetch(0)).call
