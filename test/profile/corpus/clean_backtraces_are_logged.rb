# frozen_string_literal: true

# clean

File.open("log", "w") do |log|
  20.times do |i|
    raise "failure #{i}"
  rescue RuntimeError => e
    log.syswrite("#{e.full_message(highlight: false)}\n#{"-" * 200}\n")
  end
end
puts File.size("log").positive?
