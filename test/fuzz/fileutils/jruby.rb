# frozen_string_literal: true

require "find"
require "io/wait"
require "shellwords"

module FileutilsFuzz
  # One process of JRuby that makes the calls of all cases, of both sides. Trees and snapshots are made by MRI, since
  # JRuby cannot reach all names.
  class JRuby
    SCRIPT = File.expand_path("jruby_calls.rb", __dir__)
    COMMAND = [File.expand_path("../../support/jruby", __dir__), "-W0", SCRIPT].freeze
    ENVIRONMENT = { "RUBYOPT" => nil, "RUBYLIB" => nil, "BUNDLE_GEMFILE" => nil, "GEM_HOME" => nil, "GEM_PATH" => nil,
                    "FRUGAL_ENGINE" => nil, "LC_ALL" => "C.UTF-8" }.freeze

    PATIENCE = 6 # seconds
    private_constant :PATIENCE

    # @param command [String] another command, which requires jruby_calls.rb, or ""
    # @param mutant [String, nil] of Mutants::ALL
    def initialize(command, mutant)
      @pipe = IO.popen([ENVIRONMENT, *(command.empty? ? COMMAND : Shellwords.split(command)), *mutant], "r+")
    end

    # @return [Array] see Outcome#of
    def outcome(seed, number, world, *more)
      @pipe.puts [Marshal.dump([seed, number, world, *more])].pack("m0")
      loop do
        release_fifos(world) until @pipe.wait_readable(PATIENCE)
        line = @pipe.gets or raise "JRuby has ended"
        kind, answer = line.split
        return Marshal.load(answer.unpack1("m")) if kind == "answer"

        puts line
      end
    end

    # Prints what the process prints to its end.
    def close
      @pipe.close_write
      print @pipe.read
      @pipe.close
    end

    private

    # JRuby waits in open(2) for the other end of a FIFO, and Timeout cannot end that. The case is too slow, then.
    def release_fifos(world)
      Find.find(world) do |path|
        File.open(path, File::RDWR | File::NONBLOCK, &:itself) if File.ftype(path) == "fifo"
      rescue SystemCallError
        nil # it has gone, or the path is too long
      end
    end
  end
end
