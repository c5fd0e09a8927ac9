# frozen_string_literal: true

# waste: identical_rewrite 7

report = "everything is well\n" * 10
6.times do
  File.write("report.txt", report)
end
puts File.size("report.txt")
