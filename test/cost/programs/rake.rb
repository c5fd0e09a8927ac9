# frozen_string_literal: true

require_relative "../support/program"
require "rake"
include CostProgram # rubocop:disable Style/MixinUsage
include Rake::DSL # rubocop:disable Style/MixinUsage

SIZE = 2_000
WIDTH = 25 # of a layer of the DAG
LAYERS = 12 # stock's effort grows with the square
outputs = Array.new(SIZE) { |number| "o#{number}" }
sources = Array.new(SIZE) { |number| "s#{number}" }
past = Time.at(1_000_000_000)
[sources, outputs].each_with_index { |names, age| names.each { |name| File.write(name, "") && File.utime(past + age, past + age, name) } }

define = lambda do
  SIZE.times { |number| file(outputs[number] => sources[number]) { |task| File.write(task.name, "") } }
  task("all" => outputs)
end
# Each file has three prerequisites in the layer below.
define_dag = lambda do
  (WIDTH...WIDTH * LAYERS).each do |number|
    below = (number / WIDTH - 1) * WIDTH
    file(outputs[number] => Array.new(3) { |step| outputs[below + (number + step) % WIDTH] })
  end
  task("all" => outputs[WIDTH * (LAYERS - 1), WIDTH])
end
invoke = -> { Rake::Task["all"].invoke }

apart { measure("2,000 definitions") { define } }
apart { measure("no-op of 2,000 files") { define.call && invoke } }
apart { measure("one of 2,000 files changed") { File.utime(past + 2, past + 2, sources[1_000]) && define.call && invoke } }
apart { measure("no-op of a DAG of 300 files") { outputs.each { |name| File.utime(past, past, name) } && define_dag.call && invoke } }
apart { measure("FileList of 2,000 files") { -> { FileList["s*"].ext("o").to_a } } }
