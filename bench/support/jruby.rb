# frozen_string_literal: true

require_relative "program"

module Frugal
  module Bench
    # The JRuby that benchmarks measure, see bin/setup --jruby.
    module JRuby
      COMMAND = File.expand_path("../../bin/jruby", __dir__)
      JARS = File.expand_path("../../tmp/jruby/lib", __dir__)
      ABSENT = "JRuby is not measured: it, or Java, is not installed; run bin/setup --jruby"

      class << self
        # Reads the name of its jar, since JRuby takes a second to tell.
        #
        # @return [String, nil] such as "jruby 9.4.15.0"; nil where JRuby or Java is missing
        def version
          number = Dir.glob("jruby-core-*.jar", base: ENV.fetch("JRUBY_JARS", JARS)).first&.slice(/\d+(?:\.\d+)+/)
          "jruby #{number}" if number && Program.output(java, "-version")
        end

        # @return [String]
        def java = ENV["JAVA_HOME"] ? File.join(ENV["JAVA_HOME"], "bin/java") : "java"
      end
    end
  end
end
