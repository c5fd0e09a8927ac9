# frozen_string_literal: true

# clean

File.write("state", "1")
lock = File.open("lock", "w")
20.times do
  lock.flock(File::LOCK_EX)
  File.read("state")
  lock.flock(File::LOCK_UN)
end
