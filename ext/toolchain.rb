# frozen_string_literal: true

require "rbconfig"
require "shellwords"

# The tools that compiling needs on this machine, and how to install missing ones.
#
#   Toolchain.problem   # => "make is not installed"; nil if nothing is missing
#   Toolchain.remedy    # => "apt-get install gcc make libc6-dev ruby-dev"
module Toolchain
  # Package manager => the command that installs a compiler, make and the headers of C; the package of Ruby's
  # headers.
  MANAGERS = {
    "apt-get" => ["apt-get install gcc make libc6-dev", "ruby-dev"],
    "apk" => ["apk add gcc make musl-dev", "ruby-dev"],
    "dnf" => ["dnf install gcc make", "ruby-devel"],
    "yum" => ["yum install gcc make", "ruby-devel"],
    "zypper" => ["zypper install gcc make", "ruby-devel"],
    "pacman" => ["pacman -S base-devel", nil]
  }.freeze

  class << self
    # @return [String, nil] nil if nothing is missing
    def problem
      compiler, = Shellwords.split(RbConfig::CONFIG["CC"])
      if !command?(compiler) then "#{compiler} is not installed"
      elsif !command?(make.first) then "#{make.first} is not installed"
      elsif !headers? then "the headers of Ruby are not installed"
      end
    end

    # @return [String] the command of this system's package manager
    def remedy
      _, (install, headers) = MANAGERS.find { |manager, _| command?(manager) }
      return "install a C compiler, make and the headers of Ruby" unless install

      headers? ? install : [install, headers].compact.join(" ")
    end

    # @return [Array<String>] the command and its options
    def make = Shellwords.split(ENV["MAKE"] || ENV["make"] || "make")

    # @param name [String] a path, or a name that is searched in PATH
    def command?(name)
      return File.executable?(name) if name.include?("/")

      ENV.fetch("PATH", "").split(File::PATH_SEPARATOR).any? do |folder|
        file = File.join(folder, name)
        File.file?(file) && File.executable?(file)
      end
    end

    private

    def headers? = File.file?(File.join(RbConfig::CONFIG["rubyhdrdir"].to_s, "ruby.h"))
  end
end
