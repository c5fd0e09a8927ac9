# frozen_string_literal: true

require "json"
require "tempfile"
require_relative "../compare/ruby_command"

module Frugal
  class Doctor
    # The Rails application in a folder. It is booted in a separate process, as its server
    # would boot it, because only its Gemfile and settings decide which drop-ins are on.
    #
    #   Application.in("/srv/shop")&.to_h
    #   # => { folder: "/srv/shop", rails: "7.2.3", environment: "development", errors_shown: true,
    #   #      drop_ins: […], error: nil }
    class Application
      BOOT = "config/environment.rb"
      INSIDE = File.expand_path("inside.rb", __dir__)
      private_constant :BOOT, :INSIDE

      # @param folder [String]
      # @return [Application, nil] nil if the folder holds no Rails application
      def self.in(folder)
        new(folder) if File.file?(File.join(folder, BOOT)) && File.file?(File.join(folder, "config/application.rb"))
      end

      def initialize(folder)
        @folder = folder
      end

      # @return [Hash{Symbol => Object}] folder; rails and environment; errors_shown, whether developers see the errors
      #   (config.consider_all_requests_local); drop_ins, as in {Doctor#diagnosis}, nil if frugal is not loaded; error,
      #   the reason why it does not boot
      #
      # *Cost*: the boot of the application.
      def to_h
        @to_h ||= { folder: @folder, rails: nil, environment: nil, errors_shown: nil, drop_ins: nil, error: nil,
                    **inspection }
      end

      private

      def inspection
        answer, output = boot
        answer.empty? ? { error: reason(output) } : symbolize(JSON.parse(answer, symbolize_names: true))
      end

      # Uses files, because a process that the application starts may keep a pipe open.
      #
      # @return [Array(String, String)] the answer of inside.rb, and the output of the application
      def boot
        files = Array.new(2) { Tempfile.create("frugal-doctor") }
        answer, output = files
        system(Compare::RubyCommand.path, INSIDE, File.join(@folder, BOOT),
               3 => answer, in: File::NULL, out: output, err: output, chdir: @folder)
        files.map { |file| File.read(file.path) }
      ensure
        files&.each(&:close)
        files&.each { |file| File.unlink(file.path) }
      end

      def symbolize(answer)
        answer[:drop_ins]&.each { |drop_in| %i[name state].each { |key| drop_in[key] = drop_in[key].to_sym } }
        answer
      end

      # The first line that ends with an error class in parentheses, as Ruby prints an
      # error, or else the first line, which is the message if Bundler fails.
      def reason(output)
        lines = output.scrub.lines.map(&:strip).reject(&:empty?)
        lines.find { |line| line.match?(/\([A-Z]\S*\)\z/) } || lines.first || "it ended without a message"
      end
    end
  end
end
