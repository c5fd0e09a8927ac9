# frozen_string_literal: true

# Records each exception that is raised, by a TracePoint of :raise, which instruments no code. JRuby supports it without
# an option.
module Exceptions
  NAME = Module.instance_method(:name)
  ANCESTORS = Module.instance_method(:ancestors)
  CLASS = Kernel.instance_method(:class)
  WATCHING = [__FILE__, __FILE__.sub("exceptions", "recorder")].freeze
  WAITS = __FILE__.sub("exceptions", "waits").freeze
  MAX = 0xffff
  PLACE = /\A.*?:\d+(?=:in |\z)/m
  PART = /(?:block|rescue|ensure) (?:\(\d+ levels\) )?in /
  METHOD = /:in (.*)\z/m
  JAVA = RUBY_ENGINE == "jruby"
  private_constant :NAME, :ANCESTORS, :CLASS, :WATCHING, :WAITS, :MAX, :PLACE, :PART, :METHOD, :JAVA

  class << self
    # @return [void]
    def watch
      @classes = {}.compare_by_identity
      @point = TracePoint.new(:raise) { |point| Recorder.raised { |time| record(point.raised_exception, time) } }
      @point.enable
    end

    # @return [void]
    def ignore = @point.disable

    # Removes the frames of the recorder from a backtrace of the program. From Ruby 3.4 on, the locations can be set,
    # too; before, `backtrace_locations` keeps the frames.
    #
    # @param error [Exception]
    # @return [void]
    def trim(error)
      locations = error.backtrace_locations if RUBY_VERSION >= "3.4"
      return error.set_backtrace(locations.reject { |location| Stacks.own?(location) }) if locations

      lines = error.backtrace or return
      error.set_backtrace(trimmed(lines)) if lines.any? { |line| Stacks.own_line?(line) }
    end

    private

    # Returns the lines without those of the recorder. A method that is written in C has the line of its caller, which
    # was the recorder. A method in Java, or in a file of Ruby itself, has its own line.
    def trimmed(lines)
      names = []
      lines.each_with_object([]) do |line, kept|
        next names = with_method(names, line) if Stacks.own_line?(line)

        names.each { |name| kept << "#{line[PLACE]}:in #{name}" unless own_place?(kept.last, name) }
        names = []
        kept << line
      end
    end

    # Adds the method of a line of the recorder to the methods of the lines above. Only a wait can call another method
    # that is wrapped and has a frame of its own: ConditionVariable#wait calls Mutex#sleep.
    def with_method(names, line)
      name = line[METHOD, 1].sub(PART, "")
      line.start_with?(WAITS) && names.last != name ? [*names, name] : [*names[0...-1], name]
    end

    # Reports whether the line above is that of the method itself.
    def own_place?(above, name) = JAVA || (above && above.start_with?("<internal:") && above[METHOD, 1] == name)

    def record(error, time)
      locations = caller_locations(1).drop_while { |location| WATCHING.include?(location.path) }
      name, ancestors = @classes[CLASS.bind_call(error)] ||= names(CLASS.bind_call(error))
      depth = Stacks.frames(locations).size
      Recorder.append(:raise, time: time, path: name, to: ancestors, bytes: depth,
                              error: number(error), stack: locations.first(Recorder.depth + Stacks::SKIPPED))
    end

    def names(klass)
      classes = ANCESTORS.bind_call(klass).grep(Class).take_while { |one| one != Object }
      names = classes.map { |one| NAME.bind_call(one).to_s }
      [names.first, names.join("\n")]
    end

    def number(error) = SystemCallError === error ? error.errno.to_i & MAX : 0
  end
end
