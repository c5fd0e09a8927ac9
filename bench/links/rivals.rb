# frozen_string_literal: true

require "English"
require "find"
require "open3"
require_relative "by_hand"
require_relative "java"
require_relative "../support/clock"
require_relative "../support/program"
require_relative "../../lib/frugal"

module Frugal
  module LinksBench
    # Something that lists trees. +run+ takes a root and answers how many paths
    # are below it (a block in this process), or seconds and that (Java), or is
    # the command for a root (a program, whose output nobody reads).
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

    # Ruby in this process; its garbage is collected before, not while it begins.
    class Inside < Rival
      # @param label [String]
      # @param clock [Symbol] of Bench::Clock: +:seconds+, or +:cpu_seconds+ for the processor time
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

    # Ruby in a process of its own, which tells its seconds, boot not included, and
    # how many paths there are. +run+ gives the command for a root.
    class Child < Rival
      # @return [Array(Float, Integer)]
      # @raise [Died]
      def measure(root)
        said, errors, status = Open3.capture3(*@run.call(root))
        raise Died, errors.lines.first.to_s.chomp unless status.success?

        seconds, paths = said.split
        [Float(seconds), Integer(paths)]
      end
      alias count measure
    end

    # A program of its own, its boot included: one to three milliseconds. Its
    # output goes to /dev/null; what it lists is counted apart.
    class Program < Rival
      # @return [Array(Float, nil)]
      def measure(root)
        argv = @run.call(root)
        [Bench::Clock.seconds { system(*argv, in: File::NULL, out: File::NULL, err: File::NULL) }, nil]
      end

      # A loop makes some of them complain, and end with a status other than 0;
      # what they list counts all the same.
      #
      # @raise [Died] where it lists nothing and complains: BSD's find has no -printf
      def count(root)
        lines = IO.popen(@run.call(root), in: File::NULL, err: File::NULL) { |out| out.each_line.count }
        raise Died, "exit status #{$CHILD_STATUS.exitstatus}" if lines.zero? && !$CHILD_STATUS.success?

        [nil, lines]
      rescue Errno::ENOENT
        raise Died, "not installed"
      end
    end

    # Files.walk, in a JVM that is there for all.
    class JavaWalk < Rival
      # @return [Array(Float, Integer)]
      # @raise [Died]
      def measure(root) = @run.call(root)
      alias count measure
    end

    # What this machine has.
    class Rivals
      # @return [Array<String>] which versions it has, and what it has not
      attr_reader :notes

      def initialize
        @notes = []
        @notes << Bench::Program.version("find") if Bench::Program.version("find")
        @fd = program(%w[fd fdfind], "fd (apt-get install fd-find)")
        @bfs = program(%w[bfs], "bfs (apt-get install bfs)")
        @java = Java.start { |reason| @notes << "Java is not compared: #{reason}" }
        @notes << @java.version if @java
      end

      # @return [void]
      def stop = @java&.stop

      def inside(label, &run) = Inside.new(label, &run)

      # By processor time.
      def by_cpu(label, &run) = Inside.new(label, clock: :cpu_seconds, &run)

      # @param launcher [Array<String>] what starts Ruby
      # @param script [String] says what is asked of +root+
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

      def fd(*flags) = (Program.new(["fd", *flags].join(" ")) { |root| [@fd, "--hidden", "--no-ignore", *flags, ".", root] } if @fd)

      def java = (JavaWalk.new("Java, Files.walk") { |root| @java.list(root) } if @java)

      # Neither enters links.
      def dir_glob = inside("Dir.glob") { |root| Dir.glob("#{root}/**/*").size }

      def find_find = inside("Find.find") { |root| Find.find(root).to_a.size - 1 }

      def by_hand = inside("Ruby by hand") { |root| ByHand.list(root).size }

      private

      # Debian calls fd fdfind, as it has another fd too.
      def program(names, what)
        name = names.find { |one| Bench::Program.version(one)&.match?(/\A(?:fd|fdfind|bfs) \d/) }
        @notes << (name ? Bench::Program.version(name) : "not installed, so not compared: #{what}")
        name
      end
    end
  end
end
