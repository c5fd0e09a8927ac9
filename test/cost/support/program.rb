# frozen_string_literal: true

# The programs in test/cost/programs require this file. Each of them has the cases of one part of frugal:
#
#   apart do
#     measure("1,000 probes") do
#       File.write("a", "")                      # not measured
#       -> { 1_000.times { Frugal.mtime("a") } } # measured
#     end
#   end
#
# What is `apart` runs in a fork, so that nothing else sees what it has loaded or cached. Ruby's collector runs before each
# case, and not in it: when it runs depends on too many things. Where memory is measured, it runs as ever.
require ENV.fetch("COST_METER")

# Writes the costs of a block: callgrind its instructions and system calls, with the name of the case and its objects in
# the same file; without valgrind, a line with the highest number of bytes.
module CostProgram
  module_function

  def apart
    _, status = Process.wait2(fork { CostProgram.exit_after { yield } })
    abort status.to_s unless status.success?
  end

  # Measures what the block returns. What lies between two cases that are together is slower, but does not count.
  def measure(name)
    work = yield
    CostProgram.start
    work.call
    CostProgram.stop(name)
  end

  # @return [Boolean] whether a program has to switch the drop-in on that it measures
  def frugal? = ENV.key?("COST_FRUGAL")

  def self.exit_after
    yield
    exit!(true)
  rescue Exception => e # rubocop:disable Lint/RescueException -- exit! would hide it
    $stderr.puts e.full_message
    exit!
  end

  def self.start
    GC.enable
    GC.start
    GC.disable if FrugalCostMeter.valgrind?
    @objects = GC.stat(:total_allocated_objects)
    FrugalCostMeter.start
  end

  def self.stop(name)
    peak = FrugalCostMeter.peak
    objects = GC.stat(:total_allocated_objects) - @objects
    FrugalCostMeter.dump("#{name}: #{objects}")
    File.write(ENV.fetch("COST_PEAKS"), "#{name}: #{peak}\n", mode: "a") if peak
  end
end
