# frozen_string_literal: true

module Frugal
  module Dropin
    module Rails
      # How the replaced methods look at an exception without raising it again.
      #
      # Stock rescues an exception and raises it again at each layer, and each time Ruby renders its
      # backtrace as strings, one for each frame. The replaced methods look at `$!` in `ensure`
      # instead, while the exception continues upwards. If an exception is already being handled when
      # such a method is called, `$!` would be ambiguous, and stock's method is called.
      #
      # `raise error` calls `error.exception` and raises what it returns. For an exception that returns
      # another object there, the replaced methods raise again, as stock does.
      module Reraise
        SAME = ::BasicObject.instance_method(:equal?) # an exception may override equal?
        private_constant :SAME

        # @return [Boolean] whether `raise error` would raise another object
        def self.another?(error) = !SAME.bind_call(error, error.exception)
      end
    end
  end
end
