# frozen_string_literal: true

# Preloaded through RUBYOPT into each Ruby process of a counting run, stock and
# frugal alike. At exit it appends what the process allocated and raised to the
# file that FRUGAL_COMPARE_COUNTS names (see Frugal::Compare::Counts).
#
# It defines no constant, changes no output and raises nothing: the program
# must run as it would without it. Classes are taken now, since a program may
# replace them (FakeFS replaces File).
if (path = ENV["FRUGAL_COMPARE_COUNTS"])
  file = File
  process = Process
  gc = GC

  note = lambda do |*fields|
    file.write(path, "#{fields.join("\t")}\n", mode: "a") # one write(2) on O_APPEND: lines of two processes never mix
  rescue SystemCallError, IOError
    nil
  end

  owner = process.pid
  inherited = 0
  raised = 0
  TracePoint.new(:raise) { raised += 1 }.enable
  note.call("start", owner)

  # A forked child inherits its parent's totals; only what comes later is its own.
  if process.respond_to?(:_fork)
    process.singleton_class.prepend(Module.new do
      define_method(:_fork) do
        pid = super()
        if pid.zero?
          owner = process.pid
          inherited = gc.stat[:total_allocated_objects].to_i
          raised = 0
          note.call("start", owner)
        end
        pid
      end
    end)
  end

  # Registered first, so run last: the handlers of the program are counted.
  at_exit do
    if process.pid == owner # a daemon forks without the hook; its start line stays without an end
      exceptions = raised
      note.call("end", owner, gc.stat[:total_allocated_objects].to_i - inherited, exceptions)
      if defined?(Frugal::Dropin.status)
        Frugal::Dropin.status.each { |dropin| note.call("dropin", dropin.name, dropin.state, dropin.reason.to_s[/.*/]) }
      end
    end
  end
end
