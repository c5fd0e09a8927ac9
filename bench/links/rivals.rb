# frozen_string_literal: true

require "English"
require "open3"
require_relative "by_hand"
require_relative "ways"
require_relative "../support/clock"
require_relative "../support/java"
require_relative "../support/jruby"
require_relative "../support/program"
require_relative "../support/worker_process"

module Frugal
  module LinksBench
    # Something that lists trees. The block takes a root. Depending on the subclass, it
    # returns the number of paths below the root, or the seconds and that number, or the
    # command that lists the root.
    class Rival
      # @return [String]
      attr_reader :label

      # @param label [String]
      # @yieldparam root [String]
      def initialize(label, &run)
        @label = label
        @run = run
      end
    end

    # A block in this process. Garbage is collected before it starts.
    class Inside < Rival
      # @param label [String]
      # @param clock [Symbol] a method of Bench::Clock: `:seconds`, or `:cpu_seconds` for processor time
      # @yieldparam root [String]
      def initialize(label, clock: :seconds, &run)
        super(label, &run)
        @clock = clock
      end

      # @return [Array(Float, Integer)] seconds, paths below the root
      def measure(root)
        GC.start
        paths = nil
        [Bench::Clock.public_send(@clock) { paths = @run.call(root) }, paths]
      end
      alias count measure
    end

    # Ruby in a separate process, which prints its seconds, without Ruby's start, and the
    # number of paths. The block returns the command for a root.
    class Child < Rival
      # @return [Array(Float, Integer)]
      # @raise [Bench::Died]
      def measure(root)
        output, errors, status = Open3.capture3(*@run.call(root))
        raise Bench::Died, errors.lines.first.to_s.chomp unless status.success?

        seconds, paths = output.split
        [Float(seconds), Integer(paths)]
      end
      alias count measure
    end

    # A program. Its start is included: one to three milliseconds. Its output goes to
    # /dev/null; the paths are counted in a separate run.
    class Program < Rival
      # @return [Array(Float, nil)]
      def measure(root)
        argv = @run.call(root)
        [Bench::Clock.seconds { system(*argv, in: File::NULL, out: File::NULL, err: File::NULL) }, nil]
      end

      # Because of loops in the tree, some programs print errors and end with a status other
      # than 0. The paths that they list count nevertheless.
      #
      # @raise [Bench::Died] if it fails and lists nothing: BSD's find has no -printf
      def count(root)
        lines = IO.popen(@run.call(root), in: File::NULL, err: File::NULL) { |out| out.each_line.count }
        raise Bench::Died, "exit status #{$CHILD_STATUS.exitstatus}" if lines.zero? && !$CHILD_STATUS.success?

        [nil, lines]
      rescue Errno::ENOENT
        raise Bench::Died, "not installed"
      end
    end

    # In a JVM that lives as long as the benchmark.
    class InJVM < Rival
      # @return [Array(Float, Integer)]
      # @raise [Bench::Died]
      def measure(root) = @run.call(root)
      alias count measure
    end

    # The rivals that this machine has.
    class Rivals
      WARM_UPS = 6 # of JRuby

      # @return [Array<String>] the versions of the rivals, and which rivals are missing
      attr_reader :notes

      # @param scratch [String] a folder
      # @param quick [Boolean]
      def initialize(scratch, quick:)
        @notes = []
        @notes << Bench::Program.version("find") if Bench::Program.version("find")
        @fd = program(%w[fd fdfind], "fd (apt-get install fd-find)")
        @bfs = program(%w[bfs], "bfs (apt-get install bfs)")
        start_java
        start_jruby(File.join(scratch, "jruby.errors"), quick ? 0 : WARM_UPS)
      end

      # @return [void]
      def stop = [@java, @jruby].compact.each(&:stop)

      # @param label [String]
      # @param way [Symbol] a key of {WAYS}
      # @return [Rival] this Ruby
      def ruby(label, way) = inside(label, &WAYS.fetch(way))

      # @return [Rival, nil] JRuby; nil where it is not installed
      def jruby(label, way) = (InJVM.new("JRuby, #{label}") { |root| @jruby.call(:list, way, root) } if @jruby)

      def inside(label, &run) = Inside.new(label, &run)

      # Measures processor time.
      def by_cpu(label, &run) = Inside.new(label, clock: :cpu_seconds, &run)

      # @param launcher [Array<String>] words before the Ruby command
      # @param script [String] an expression that uses the local variable `root` and returns the number of paths
      def child(label, *launcher, script)
        program = <<~RUBY
          require "find"
          root = ARGV.fetch(0)
          started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
          paths = #{script}
          puts "\#{Process.clock_gettime(Process::CLOCK_MONOTONIC) - started} \#{paths}"
        RUBY
        Child.new(label) { |root| [*launcher, RbConfig.ruby, "-e", program, root] }
      end

      def find(*flags, tests: [])
        Program.new(["find", *flags, *tests.first].join(" ")) { |root| ["find", *flags, root, "-mindepth", "1", *tests] }
      end

      def bfs(*flags) = (Program.new([@bfs, *flags].join(" ")) { |root| [@bfs, *flags, root, "-mindepth", "1"] } if @bfs)

      def fd(*flags)
        return unless @fd

        Program.new(["fd", *flags].join(" ")) { |root| [@fd, "--hidden", "--no-ignore", *flags, ".", root] }
      end

      # @param label [String] after "Java, "
      # @param way [String] "walk", "files" or "fork", see Lister.java
      def java(label = "Files.walk", way = "walk")
        InJVM.new("Java, #{label}") { |root| @java.ask(way, root) } if @java
      end

      # Dir.glob and Find.find do not follow links.
      def dir_glob = ruby("Dir.glob", :dir_glob)

      def find_find = ruby("Find.find", :find_find)

      def by_hand = inside("Ruby by hand") { |root| ByHand.list(root).size }

      private

      def start_java
        version, status = Open3.capture2e("java", "-version")
        version = version.lines.first.to_s.chomp
        return missing_java("java does not start: #{version}") unless status.success?

        @java = Bench::Java.new("java", File.join(__dir__, "Lister.java"))
        @java.ask("walk", __dir__)
        @notes << version
      rescue Errno::ENOENT
        missing_java("java is not installed (a JDK, 11 or newer)")
      rescue Bench::Died
        missing_java("a JDK, 11 or newer, is needed to run a source file")
      end

      def missing_java(reason)
        @notes << "Java is not compared: #{reason}"
        @java&.stop
        @java = nil
      end

      def start_jruby(errors, warm_ups)
        version = Bench::JRuby.version
        @notes << (version || Bench::JRuby::ABSENT)
        return unless version

        command = [Bench::JRuby::COMMAND, "--disable=gems", File.join(__dir__, "jruby_worker.rb"), warm_ups.to_s]
        @jruby = Bench::WorkerProcess.new(command, errors: errors)
      end

      # The names of fd differ: Debian calls it fdfind, because it has another program called fd.
      def program(names, what)
        name = names.find { |one| Bench::Program.version(one)&.match?(/\A(?:fd|fdfind|bfs) \d/) }
        @notes << (name ? Bench::Program.version(name) : "not installed, so not compared: #{what}")
        name
      end
    end
  end
end
