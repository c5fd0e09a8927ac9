# frozen_string_literal: true

require_relative "preload"

module Frugal
  module Profile
    # The recorder in plain Ruby, for Rubies and systems on which the native one cannot run. RUBYOPT loads an agent into
    # each Ruby process of the command; the agent wraps Ruby's own file methods, and writes the same logs.
    #
    #   Run.new(%w[rake -s], recorder: :ruby).call.counts[:stats]
    #
    # It does not see: calls by code in C or Java (Kernel#require, gems, frugal's own engine), reads and writes in
    # Ruby's buffer, and programs that are not Ruby.
    module RubyRecorder
      AGENT = File.expand_path("ruby_recorder/agent.rb", __dir__)
      NOTE = "counts are of Ruby's own file methods (the recorder in Ruby): calls by C or Java code and by child " \
             "programs that are not Ruby are not seen"
      private_constant :AGENT

      # @param directory [String] where the processes write their logs
      # @param given [Hash{String => String, nil}] variables that the command gets in addition to the environment of
      #   this process
      # @return [Hash{String => String}] the environment with which a process records itself
      # @raise [Error] if RUBYOPT cannot name the agent
      def self.environment(directory, limit_mib:, depth:, given: {})
        options = given.fetch("RUBYOPT") { ENV.fetch("RUBYOPT", nil) }
        agent = Preload.path(AGENT)
        { "RUBYOPT" => ["-r#{agent}", *options].join(" "),
          "FRUGAL_RUBY_RECORDING" => "#{limit_mib << 20}:#{depth}:#{agent}:#{directory}" }
      end
    end
  end
end
