# frozen_string_literal: true

# files: a b c layout
# rake: -m -j 3
# undeclared: read out/a layout 9
# undeclared: read out/b layout 9
# undeclared: read out/c layout 9
# undeclared: read out/c b 9
layout = ->(t, *more) { sleep 0.05; File.write(t.name, [*t.sources, "layout", *more].map { |name| File.read(name) unless name == "out" }.join) }

directory "out"
file("out/a" => %w[a out]) { |t| layout.call(t) }
file("out/b" => %w[b out]) { |t| layout.call(t) }
file("out/c" => %w[c out]) { |t| layout.call(t, "b") }

multitask default: %w[out/a out/b out/c]
