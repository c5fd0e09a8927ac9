# frozen_string_literal: true

require_relative "../support/program"
require "find"
require "fileutils"
include CostProgram # rubocop:disable Style/MixinUsage

ENTRIES = { "large" => 99, "a" => 2, "b" => 2 }.freeze # files in each of 50 folders; or beside each other
ENTRIES.each do |root, size|
  folders = root == "large" ? Array.new(50) { |number| "#{root}/d#{number}" } : [root]
  folders.each { |folder| FileUtils.mkdir_p(folder) && size.times { |number| File.write("#{folder}/f#{number}.rb", "") } }
end
Dir.mkdir("empty")

# The cost of a call is measured with a hundred, after some that may load a drop-in.
def calls(name, &call) = measure("100 × #{name}") { 20.times(&call) && -> { 100.times(&call) } }

apart { measure("Find of 5,000 entries") { -> { Find.find("large") { |path| path } } } }
apart { measure("Dir.glob of 5,000 entries") { -> { Dir.glob("large/**/*.rb") } } }
apart { measure("FileUtils.cp_r of 50 files") { -> { FileUtils.cp_r("large/d0", "copy") } } }
apart { measure("FileUtils.rm_rf of 500 files") { -> { FileUtils.rm_rf(Array.new(5) { |number| "large/d#{number}" }) } } }

apart do
  calls("Dir.glob of a missing folder") { Dir.glob("zz/**/*.rb") }
  calls("Dir.glob of two folders and a missing one") { Dir.glob("{a,b,zz}/**/*.rb") }
  calls("Dir.glob of an empty folder") { Dir.glob("empty/**/*.rb") }
  calls("Dir.glob of three files") { Dir.glob("three/**/*.rb") }
  calls("Dir.glob of one folder") { Dir.glob("three/*.rb") }
  calls("Dir.glob without magic") { Dir.glob("three/1.rb") }
  calls("Find of a file") { Find.find("three/1.rb") { |path| path } }
  calls("Find of three files") { Find.find("three") { |path| path } }
  calls("mkdir_p of what exists") { FileUtils.mkdir_p("large/d9") }
  calls("Dir.chdir") { Dir.chdir("three") { nil } }
  calls("FileUtils.rm_f of what is missing") { FileUtils.rm_f("three/missing") }
end
