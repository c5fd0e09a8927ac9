# frozen_string_literal: true

require "rbconfig"
require_relative "needs"

class TestRun
  # Test files that run in one process.
  #
  # @!attribute jars
  #   @return [String, nil] the folder of JRuby's jars; nil for the Ruby of this process
  Leg = Struct.new(:title, :engine, :files, :jars) do
    # @return [Boolean] whether its Ruby is here
    def runs?
      return true unless jars

      File.directory?(jars) && (engine == "pure" || File.exist?(self.class::JAR)) &&
        system("java", "-version", err: File::NULL, out: File::NULL)
    end

    # Runs the tests, and tells the progress of each. What its processes print comes through one pipe, in order; this process
    # writes the last line to it, when that of the tests has ended, since a process that a test has left behind may keep
    # the pipe open.
    #
    # @param environment [Hash{String => String}] variables for the tests
    def run(options, environment, progress)
      progress.start(self)
      reading, writing = IO.pipe(binmode: true)
      pid = spawn({ **own_environment, **environment }, *command(options), out: writing, err: writing, in: File::NULL, chdir: Needs::ROOT)
      ended = Thread.new { Process.wait2(pid).last.tap { writing.write("\n#{self.class::LAST}\n") } }
      reading.each_line { |line| break if line == "#{self.class::LAST}\n" || tell(line, progress) }
      progress.ended(self, ended.value)
    ensure
      [reading, writing].each(&:close)
    end

    private

    # C is the default, and users name no engine. Our own gems and options are MRI's. Where the locale is not UTF-8, some
    # drop-ins stand aside, which is not what most tests test; and Java reads names of files in the locale's encoding.
    def own_environment
      jruby = { "RUBYOPT" => nil, "RUBYLIB" => nil, "BUNDLE_GEMFILE" => nil, "GEM_HOME" => nil, "GEM_PATH" => nil, "JRUBY_JARS" => jars }
      locale = { "LC_ALL" => "C.UTF-8" } if jars || Encoding.default_external != Encoding::UTF_8
      { "FRUGAL_ENGINE" => (engine unless engine == "c"), **(jars ? jruby : {}), **locale.to_h }
    end

    def command(options)
      [jars ? "#{Needs::ROOT}/test/support/jruby" : RbConfig.ruby, "-w", "-r", "#{__dir__}/reporter.rb",
       "-e", "ARGV.shift(#{files.size}).each { |file| require file }", *files, *options]
    end

    # @return [nil]
    def tell(line, progress)
      text, record = line.match(self.class::RECORD)&.captures || line
      progress.printed(self, text) unless text.strip.empty?
      progress.event(self, *Marshal.load(record.unpack1("m"))) if record
      nil
    end
  end
  Leg::JAR = "#{Needs::ROOT}/lib/frugal/native.jar"
  Leg::RECORD = %r{\A(.*)\x1E([\w+/=]+)\x1E\n\z}n # see reporter.rb; text that a test has printed may be before it
  Leg::LAST = "\u0004".b
end
