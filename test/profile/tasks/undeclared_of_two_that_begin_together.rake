# frozen_string_literal: true

# The name of the Rakefile is the first that is recorded: it takes so long that the other task has begun.
# files: a b layout
# rake: -m -j 2
# undeclared: read out/a layout 12
# undeclared: read out/b layout 13
Rake.application.instance_variable_get(:@rakefile).tap do |name|
  Rake.application.instance_variable_set(:@rakefile, Class.new { define_method(:to_s) { sleep(0.3).then { name } } }.new)
end

file("out/a" => "a") { |t| FileUtils.mkdir_p("out") && File.write(t.name, File.read("layout")) }
file("out/b" => "b") { |t| FileUtils.mkdir_p("out") && File.write(t.name, File.read("layout")) }

multitask default: %w[out/a out/b]
