# frozen_string_literal: true

# One call of a Ruby method, which is recorded as one or several events.
class Call
  attr_reader :receiver, :name, :args, :result, :error

  def initialize(receiver, name, args, result, error, start, finish, stack) # rubocop:disable Metrics/ParameterLists -- made in one place
    @receiver = receiver
    @name = name
    @args = args
    @result = result
    @error = error
    @time = start
    @duration = finish - start
    @stack = stack
  end

  # @return [Integer] 0 for none
  def errno = error.respond_to?(:errno) ? error.errno.to_i : 0

  # @param call [Symbol]
  # @param event [Hash] as in Log#append
  # @return [void]
  def event(call, **event)
    Recorder.append(call, time: @time, duration: @duration, error: errno, stack: @stack, **event)
    @time += 1 # events are ordered by their time
    @duration = 0
  end

  # Records that the call has waited, see Waits.
  #
  # @return [void]
  def wait = Recorder.append(:wait, time: Recorder.now)
end
