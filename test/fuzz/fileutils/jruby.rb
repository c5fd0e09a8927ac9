# frozen_string_literal: true

require "shellwords"

module FileutilsFuzz
  # One process of JRuby that makes the calls of all cases, of both sides. Trees and snapshots are made by MRI, since
  # JRuby cannot reach all names.
  class JRuby
    SCRIPT = File.expand_path("jruby_calls.rb", __dir__)
    COMMAND = [File.expand_path("../../support/jruby", __dir__), "-W0", SCRIPT].freeze
    ENVIRONMENT = { "RUBYOPT" => nil, "RUBYLIB" => nil, "BUNDLE_GEMFILE" => nil, "GEM_HOME" => nil, "GEM_PATH" => nil,
                    "FRUGAL_ENGINE" => nil, "LC_ALL" => "C.UTF-8" }.freeze

    # @param command [String, nil] another command, which requires jruby_calls.rb
    # @param mutant [String, nil] of Mutants::ALL
    def initialize(command = nil, mutant = nil)
      @pipe = IO.popen([ENVIRONMENT, *(command ? Shellwords.split(command) : COMMAND), *mutant], "r+")
    end

    # @return [Array] see Outcome#of
    def outcome(*question)
      @pipe.puts [Marshal.dump(question)].pack("m0")
      while (line = @pipe.gets)
        kind, answer = line.split
        return Marshal.load(answer.unpack1("m")) if kind == "answer" # rubocop:disable Security/MarshalLoad

        puts line
      end
      raise "JRuby has ended"
    end

    # Prints what the process prints to its end.
    def close
      @pipe.close_write
      puts @pipe.read
      @pipe.close
    end
  end
end
