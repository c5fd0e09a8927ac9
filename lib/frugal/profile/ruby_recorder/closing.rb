# frozen_string_literal: true

# A closed file has no descriptor, so the wrapper asks for the descriptor before the close.
module Closing
  # @return [void]
  def self.install
    File.prepend(Extension)
  end

  # @return [void]
  def self.closed(path, descriptor, start)
    Recorder.leave do |time|
      Recorder.append(:close, time: start, duration: time - start, path: Values.absolute(path),
                              descriptor: descriptor, stack: Stacks.here)
    end
  end

  # Around File#close.
  module Extension
    def close
      return super if closed? || (start = Recorder.enter).nil?

      path = self.path
      descriptor = fileno
      begin
        super
      ensure
        Closing.closed(path, descriptor, start)
      end
    end
  end
  private_constant :Extension
end
