# frozen_string_literal: true

# files: a README

task(:check) { File.read("a"); File.write("report", "x"); File.read("report") }
task(again: :check) { File.read("report") }
task(:build) { Rake::Task[:late].invoke; File.read("late") }
task(:late) { File.write("late", "x") }

task default: %w[check again build]
