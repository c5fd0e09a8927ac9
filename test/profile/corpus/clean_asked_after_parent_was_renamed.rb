# frozen_string_literal: true

# clean

Dir.mkdir("a")
File.write("a/f", "x")
30.times do
  File.exist?("a/f")
  File.rename("a", "b")
  File.rename("b", "a")
end
