# frozen_string_literal: true

# clean

jobs = Queue.new
File.write("config", "x")
worker = Thread.new { nil while jobs.pop && File.mtime("config") }
10.times { |i| jobs << i }
jobs << nil
worker.join
