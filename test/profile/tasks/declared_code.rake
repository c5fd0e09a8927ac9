# frozen_string_literal: true

# files: lib.rb:1 tasks/more.rake:2 late.rb:3 child.rb:4

import "tasks/more.rake"
require_relative "lib" if File.exist?("lib.rb")
file "out" do |_t|
  require "./late"
  load "lib.rb"
  File.read(Rake.application.rakefile)
  ruby "-r./child", "-e", "File.write('out', 'x')", verbose: false
end

task default: "out"
