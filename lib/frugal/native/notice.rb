# frozen_string_literal: true

module Frugal
  module Native
    # One line on stderr, if the engine is not the one that the user probably expects: FRUGAL_ENGINE has an unknown
    # value or names a missing engine, or frugal is a checkout that was not compiled for this Ruby, as with `path:`
    # in a Gemfile.
    # An installed gem prints nothing, since its installation did. `ruby -W0`, FRUGAL_ENGINE=pure and FRUGAL=0
    # suppress the line.
    #
    #   Notice.print
    module Notice
      ENGINES = { "ruby" => %w[c pure], "jruby" => %w[c java pure] }.freeze
      OFF = /\A(?:0|off|no|false)\z/i # as in dropin/switch.rb
      SETUP = "bin/setup --compile"
      private_constant :ENGINES, :OFF, :SETUP

      class << self
        # @return [void]
        def print
          return if $VERBOSE.nil? || OFF.match?(ENV.fetch("FRUGAL", "").b)

          line = text
          $stderr.puts "frugal: #{line}" if line
        rescue SystemCallError, IOError
          nil # the program has closed stderr
        end

        private

        # @return [String, nil]
        def text
          wanted = ENV["FRUGAL_ENGINE"].to_s.b
          known = ENGINES.fetch(Platform::RUBY, %w[pure])
          return uncompiled if wanted.empty?
          return if wanted == "c" && Native.engine_name == :java
          return unknown(wanted, known) unless known.include?(wanted)

          "there is no engine #{wanted} for #{Platform::ABI}, so frugal runs in plain Ruby#{": run #{setup}" if setup}"
        end

        def unknown(wanted, known)
          "FRUGAL_ENGINE must be #{known.join(" or ")} (got #{wanted}), so it is ignored: " \
            "frugal uses #{Native.engine_name}"
        end

        # Only for MRI: no user of another Ruby expects the C engine.
        def uncompiled
          return unless Platform::MRI && Native.engine_name == :pure && setup

          "this checkout is not compiled for #{Platform::ABI}, so frugal runs in plain Ruby: " \
            "run #{setup}, or set FRUGAL_ENGINE=pure"
        end

        # @return [String, nil] nil for an installed gem
        def setup
          root = File.expand_path("../../..", __dir__)
          "#{root}/#{SETUP}" if File.file?("#{root}/bin/setup")
        end
      end
    end
  end
end
