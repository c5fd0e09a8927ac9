# frozen_string_literal: true

# clean

waiter = Thread.new { sleep 0.4; File.write("ready", "x") }
sleep 0.02 until File.exist?("ready")
waiter.join
puts "ready"
