# frozen_string_literal: true

# Sees the file calls and exceptions of a Ruby program where the recorder is not there. It knows few methods of File,
# those that make the same one call of the C library everywhere.
module RubyEvents
  CALLS = { [File.singleton_class, :stat] => :stat, [File.singleton_class, :exist?] => :stat,
            [File.singleton_class, :lstat] => :lstat, [File.singleton_class, :mkfifo] => :mkfifo,
            [Dir.singleton_class, :mkdir] => :mkdir, [File.singleton_class, :readlink] => :readlink }.freeze
  METHODS = CALLS.keys.map(&:last).freeze

  class << self
    # @yieldparam event [Array] name, path, error, file and line; `:raise` has the class in place of a path. The error
    #   of a call is set as soon as it raises
    # @return [TracePoint] of the current thread, not enabled yet
    def watch
      last = nil
      TracePoint.new(:c_call, :raise) do |point|
        if point.event == :raise
          error = errno(point.raised_exception)
          last[2] ||= error if last && error
          yield [:raise, point.raised_exception.class.name, error, *place(point)]
        elsif METHODS.include?(point.method_id) && (name = CALLS[[point.defined_class, point.method_id]])
          yield last = [name, nil, nil, *place(point)]
        end
      end
    end

    private

    def place(point) = [File.expand_path(point.path), point.lineno]

    def errno(error) = (error.class.name.delete_prefix("Errno::") if error.is_a?(SystemCallError))
  end
end
