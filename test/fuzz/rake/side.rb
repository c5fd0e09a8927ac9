# frozen_string_literal: true

require "rbconfig"
require_relative "case"

module RakeFuzz
  # The client of one server, which has stock Rake or Rake with the drop-in.
  class Side
    LIB = File.expand_path("../../../lib", __dir__)
    SERVER = File.join(__dir__, "server.rb")

    attr_reader :hello

    # @param rake [String] folder of an unpacked rake gem
    # @param base [String] working folder, shared by both sides of a pair
    def initialize(kind, rake:, base:, engine: nil, mutant: nil)
      env = { "LANG" => "C.UTF-8", "LC_ALL" => "C.UTF-8", "TZ" => "UTC", "RUBYOPT" => nil, "RUBYLIB" => nil,
              "RAKEOPT" => nil, "RAKE_SYSTEM" => nil, "RAKE_COLUMNS" => nil, "FRUGAL" => nil, "FRUGAL_RAKE" => nil,
              "FRUGAL_ENGINE" => engine }
      command = [RbConfig.ruby, "-w", "-I", File.join(rake, "lib"), "-I", LIB, SERVER, kind.to_s, *mutant]
      @io = IO.popen(env, command, "r+b", chdir: base)
      @hello = Marshal.load(@io)
    end

    # @param shaken [Integer, nil] the seed of a {Shaker}
    # @return [Hash] the outcome of one case in a process of its own
    def run(kase, shaken: nil) = ask([kase], shaken).first

    # @return [Array<Hash>] the outcomes of cases that share a process
    def run_all(cases) = ask(cases, nil)

    def close = @io.close

    private

    def ask(cases, shaken)
      @io.write(Marshal.dump([cases, shaken]))
      @io.flush
      Marshal.load(@io)
    end
  end
end
