# frozen_string_literal: true

# The trees in FOLDER that test/support/native_memory.rb walks. Each is made once.

ROOTS = "#{FOLDER}/tree"

# Directories with 4,000 names of 200 bytes: about a megabyte for a walk.
def tree
  return ROOTS if File.exist?(ROOTS)

  20.times do |i|
    FileUtils.mkdir_p("#{ROOTS}/#{i}")
    200.times { |j| File.write("#{ROOTS}/#{i}/#{"n" * 196}#{j}", "") }
  end
  ROOTS
end

def rules_tree
  root = "#{FOLDER}/rules"
  return root if File.exist?(root)

  100.times do |i|
    FileUtils.mkdir_p("#{root}/#{i}")
    File.write("#{root}/#{i}/.gitignore", Array.new(500) { |j| "name#{j}*\n" }.join)
  end
  root
end

# One directory with long names, and a fifo, which the copy hands over.
def flat_tree
  root = "#{FOLDER}/flat"
  return root if File.exist?(root)

  FileUtils.mkdir_p(root)
  4_000.times { |i| File.mkfifo("#{root}/#{"n" * 196}#{i}") }
  root
end
