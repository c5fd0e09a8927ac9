# frozen_string_literal: true

# clean

reader, writer = IO.pipe
40.times do
  reader.read_nonblock(10)
rescue IO::WaitReadable
  nil
end
writer.close
