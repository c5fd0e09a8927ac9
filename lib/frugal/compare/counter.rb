# frozen_string_literal: true

# Preloaded through RUBYOPT into each Ruby process of a counting run, both of stock
# and of frugal. When the process exits, it appends the number of allocated objects
# and raised exceptions to the file named by FRUGAL_COMPARE_COUNTS (see
# Frugal::Compare::Counts).
#
# It defines no constant, changes no output and raises nothing, so that the program runs as without the counter. It
# keeps references to File, Process and GC, because a program may replace these constants (FakeFS replaces File).
if (path = ENV["FRUGAL_COMPARE_COUNTS"])
  file = File
  process = Process
  gc = GC

  note = lambda do |*fields|
    # One write(2) with O_APPEND, so lines of two processes never mix.
    file.write(path, "#{fields.join("\t")}\n", mode: "a")
  rescue SystemCallError, IOError
    nil
  end

  owner = process.pid
  inherited = 0
  raised = 0
  TracePoint.new(:raise) { raised += 1 }.enable
  note.call("start", owner)

  # A forked child inherits its parent's totals: they are subtracted from the child's.
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

  # This handler is registered first and thus runs last, so it also counts the work of the program's own handlers.
  at_exit do
    if process.pid == owner # Process.daemon forks without calling _fork: such a process writes no "end" line
      exceptions = raised
      allocated = gc.stat[:total_allocated_objects] # nil under JRuby
      note.call("end", owner, allocated && allocated - inherited, exceptions)
      if defined?(Frugal::Dropin.status)
        Frugal::Dropin.status.each do |dropin|
          note.call("dropin", dropin.name, dropin.state, dropin.reason.to_s[/.*/])
        end
      end
    end
  end
end
