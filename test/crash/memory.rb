# frozen_string_literal: true

require "tmpdir"

module Safety
  # A folder on a file system in memory, if there is one.
  def self.memory = File.writable?("/dev/shm") ? "/dev/shm" : Dir.tmpdir
end
