# frozen_string_literal: true

# clean

8.times do
  File.write("f", "mine")
  Process.wait(fork { File.write("f", "theirs") })
end
puts File.read("f")
