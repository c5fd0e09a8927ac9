# frozen_string_literal: true

# waste: unlink_after_rename 10

20.times do |i|
  File.write("tmp#{i}", i.to_s)
  begin
    File.rename("tmp#{i}", "final#{i}")
  ensure
    File.unlink("tmp#{i}") rescue nil
  end
end
puts Dir.children(".").size
