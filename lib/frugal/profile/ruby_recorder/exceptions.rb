# frozen_string_literal: true

# Each exception that is raised: a TracePoint of :raise, which instruments no code. JRuby has it without an option.
module Exceptions
  NAME = Module.instance_method(:name)
  ANCESTORS = Module.instance_method(:ancestors)
  CLASS = Kernel.instance_method(:class)
  MAX = 0xffff
  private_constant :NAME, :ANCESTORS, :CLASS, :MAX

  class << self
    # @return [void]
    def watch
      @classes = {}.compare_by_identity
      TracePoint.new(:raise) { |point| Recorder.raised { |time| record(point.raised_exception, time) } }.enable
    end

    # The frames of the recorder are no part of the program's backtraces. From Ruby 3.4 on, the locations can be set,
    # too; before, only `backtrace_locations` has them.
    #
    # @param error [Exception]
    # @return [void]
    def trim(error)
      locations = error.backtrace_locations if RUBY_VERSION >= "3.4"
      return error.set_backtrace(locations.reject { |location| Stacks.own?(location) }) if locations

      lines = error.backtrace or return
      kept = lines.reject { |line| Stacks.own_line?(line) }
      error.set_backtrace(kept) if kept.size < lines.size
    end

    private

    def record(error, time)
      locations = caller_locations(1)
      name, ancestors = @classes[CLASS.bind_call(error)] ||= names(CLASS.bind_call(error))
      depth = Stacks.frames(locations).size
      Recorder.append(:raise, time: time, path: name, to: ancestors, bytes: depth - 1, error: number(error),
                              stack: locations.first(Recorder.depth + 8))
    end

    def names(klass)
      names = ANCESTORS.bind_call(klass).grep(Class).map { |one| NAME.bind_call(one).to_s }
      [names.first, names.join("\n")]
    end

    def number(error) = SystemCallError === error ? error.errno.to_i & MAX : 0
  end
end
