# frozen_string_literal: true

require "frugal/profile/recording"
require "frugal/profile/finding"

# Builds recordings for tests of the reports, with counts that follow from the events.
#
#   SampleRecording.build(command: %w[rake]) do |run|
#     run.process(100)
#     run.call(:stat, "/app/a", at: "/app/Rakefile:3", error: "ENOENT", times: 20)
#     run.raise("Errno::ENOENT", at: "/app/Rakefile:3", depth: 12)
#   end
class SampleRecording
  Profile = Frugal::Profile
  STEP = 10_000 # nanoseconds from one event to the next
  # Names that a page, a terminal or a document must not interpret.
  HOSTILE = ["</script><img src=x onerror=alert(1)>", "--><script>hostile()</script>", "\e[2Jbell\a", "a\u202Eb",
             "'\"&<>`$(id)", "line\nbreak"].freeze
  BINARY = "/app/caf\xE9".b.freeze

  class << self
    # @return [Frugal::Profile::Recording]
    def build(**options) = new.tap { |run| yield run }.recording(**options)

    # A build by two processes, with something of everything.
    def rake(**options)
      build(command: %w[rake -s], wall_us: 1_240_000, cpu_us: 1_100_000, **options) do |run|
        run.process(100, argv: %w[rake -s])
        30.times { |n| run.call(:stat, "/app/src/#{n % 10}.c", at: %w[/app/lib/tasks.rb:22 /app/Rakefile:3], duration: 1500) }
        run.call(:stat, "/app/build/1.o", at: "/app/lib/tasks.rb:22", error: "ENOENT", times: 5)
        run.call(:openat, "/app/build/log", at: "/app/lib/log.rb:7", fd: 5)
        run.call(:write, "/app/build/log", at: "/app/lib/log.rb:8", fd: 5, bytes: 12, times: 3)
        run.raise("Errno::ENOENT", at: "/app/lib/tasks.rb:23", depth: 12, error: "ENOENT", times: 4)
        run.process(101, ppid: 100, argv: %w[cc -c 1.c], ruby: nil)
        run.call(:read, "/usr/include/stdio.h", bytes: 8, times: 6)
        run.call(:rename, "/app/build/1.tmp", to: "/app/build/1.o")
      end
    end

    # Process 1 with two more threads, of which the last one makes no call; then process 2; then process 1 after exec.
    def threads
      build do |run|
        run.process(1)
        run.call(:stat, "/a", at: "/x.rb:1", thread: 7)
        run.call(:stat, "/a", at: "/x.rb:1")
        run.raise("KeyError", at: "/x.rb:1", depth: 1, thread: 8)
        2.downto(1) do |pid|
          run.process(pid)
          run.call(:read, nil, fd: 3)
        end
      end
    end

    # @return [Array<Frugal::Profile::Finding>] in no order, and one of them not waste
    def findings
      [finding(:tiny_reads, "/usr/lib/gems/tz-1.0/tz.rb:9", count: 6, saved_us: 16_000.0,
                                                            message: "6 reads of 8 bytes each"),
       finding(:redundant_call, "/app/lib/tasks.rb:22", count: 20, saved_us: 80_000.0, drop_in: :rake, fail_rate: 0.25,
                                                        message: "20 of 35 calls repeat one whose answer was known",
                                                        examples: %w[/app/src/1.c /app/src/2.c]),
       finding(:rescued_error, "/app/lib/tasks.rb:23", count: 4, saved_us: 30_000.0,
                                                       message: "4 of 4 exceptions are rescued at once"),
       finding(:freshness_check, "/app/lib/x.rb:1", count: 9, message: "9 checks (stat) found nothing changed")]
    end

    # @param path [String, Array<String>] places such as `/app/a.rb:12`, the line that can act first
    def finding(kind, path, **details)
      known = { count: 1, fail_rate: nil, saved_us: 0.0, message: "proof", examples: [], callers: [],
                fix: "Do it once." }
      known = { **known, **details }
      Profile::Finding.new(kind: kind, path: Array(path).map { |place| frame(place) }, **known,
                           saved_range_us: [-10_000.0, 10_000.0].map { |more| [known[:saved_us] + more, 0.0].max })
    end

    # @param place [String]
    # @return [Frugal::Profile::Frame]
    def frame(place)
      file, _, line = place.rpartition(":")
      Profile::Frame.new(file, line.to_i, "method_#{line}")
    end

    # Many different calls: `paths` files below `/app`, asked in turn at `lines` lines of a file.
    def large(calls:, paths: calls, lines: 50)
      build(command: %w[large], wall_us: calls * 20, cpu_us: calls * 20) do |run|
        run.process(1)
        calls.times do |n|
          run.call(:stat, "/app/#{n % paths / 100}/#{n % paths}", at: "/app/a.rb:#{n % lines}")
        end
      end
    end

    # Every name in it is hostile.
    def hostile
      build(command: ["ruby", *HOSTILE, BINARY], notes: HOSTILE) do |run|
        run.process(1, argv: ["ruby", *HOSTILE, BINARY], ruby: HOSTILE.first)
        [*HOSTILE.map { |name| "/app/#{name}" }, BINARY].each do |path|
          run.call(:rename, path, to: path, at: "#{path}:1")
          run.raise(path, at: "#{path}:1", depth: 3)
        end
      end
    end

    def hostile_findings
      [*HOSTILE, BINARY].map do |name|
        finding(:redundant_call, "#{name}:1", message: name, fix: name, examples: [name], saved_us: 1000.0)
      end
    end
  end

  def initialize
    @processes = []
    @calls = []
    @raises = []
    @stacks = {}
    @now = 1_000_000_000
  end

  # Begins a process; the events that follow are its own.
  def process(pid, ppid: 1, argv: %w[ruby], ruby: RUBY_VERSION, dropped: 0, counts: {})
    @processes << Profile::ProcessRecord.new(pid, ppid, argv, ruby, tick, dropped, Hash.new(0).merge(counts))
  end

  # @param at [String, Array<String, Frame>, nil] places, the innermost first
  def call(name, path, at: nil, times: 1, duration: 2_000, thread: @processes.last.pid, **details)
    times.times do
      @processes.last.counts[name] += 1
      call = Profile::Call.new(@processes.last, thread, tick, duration, name)
      details.each { |member, value| call[member] = value }
      call.path = path
      call.stack = stack(at)
      @calls << call
    end
  end

  def raise(class_name, depth:, at: nil, times: 1, thread: @processes.last.pid, error: nil, ancestors: [class_name, "StandardError"])
    times.times do
      @processes.last.counts[:raise] += 1
      @raises << Profile::Raise.new(@processes.last, thread, tick, class_name, ancestors, error, stack(at), depth, nil)
    end
  end

  # @return [Frugal::Profile::Recording]
  def recording(command: %w[ruby], **options)
    Profile::Recording.new(command: command, processes: @processes, calls: @calls, raises: @raises, **options)
  end

  private

  def tick = @now += STEP

  # The same object for the same frames of one process.
  def stack(places)
    return Profile::Stack::EMPTY unless places

    @stacks[[@processes.last.object_id, places]] ||=
      Profile::Stack.new(Array(places).map { |place| place.is_a?(Profile::Frame) ? place : self.class.frame(place) })
  end
end
