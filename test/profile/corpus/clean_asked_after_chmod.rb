# frozen_string_literal: true

# clean

File.write("f", "x")
30.times do |i|
  File.readable?("f")
  File.chmod(i.even? ? 0o600 : 0o644, "f")
end
