# frozen_string_literal: true

# undeclared: read show state 7 make

namespace(:a) { task(:make) { File.write("state", "1") } }
task(:make) { File.write("state", "1") }
task(:show) { File.read("state") }

task default: %w[make show]
