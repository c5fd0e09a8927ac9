# frozen_string_literal: true

# files: a

file("out" => "a") { raise "no" }

task(:default) { Rake::Task["out"].invoke rescue 0 }
