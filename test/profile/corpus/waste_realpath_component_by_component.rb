# frozen_string_literal: true

# waste: repeated_realpath 13
# waste: redundant_call 16
# A pure Ruby realpath asks for each component above each file, and Dir.pwd each time where it is.

Dir.mkdir("a")
Dir.mkdir("a/b")
40.times { |i| File.write("a/b/#{i}", "x") }
def resolve(path)
  path.split("/").inject("") do |done, part|
    name = File.join(done, part)
    File.lstat(name).symlink? ? File.readlink(name) : name
  end
end
puts 40.times.map { |i| resolve(File.join(Dir.pwd, "a/b/#{i}")) }.size
