# frozen_string_literal: true

# clean

File.mkfifo("fifo")
writer = Thread.new { File.open("fifo", "w") { |io| 30.times { io.syswrite("message!") && sleep(0.005) } } }
File.open("fifo") { |io| puts 30.times.sum { io.readpartial(8).size } }
writer.join
