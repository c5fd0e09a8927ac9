# frozen_string_literal: true

# The process of java_walk_test.rb for the system calls: walks often enough to be compiled, and then between two marks
# in the trace, three times, since JRuby's compiler opens files meanwhile: the least counts.
#
#   jruby walk_costs.rb TREE
require "frugal"
require "frugal/dir"
require "frugal/find"
require_relative "../../bench/support/marked_trace"

tree = ARGV.fetch(0)
snapshot = Frugal::TreeSnapshot.new(tree)
questions = {
  "walk" => -> { Frugal.walk(tree).to_a }, "count" => -> { Frugal.count(tree) },
  "stream" => -> { Frugal.each_path(tree, sort: false) { |path| path } },
  "paths" => -> { Frugal.walk(tree, follow: :paths) }, "once" => -> { Frugal.walk(tree, follow: :once) },
  "stat" => -> { Frugal.walk(tree, stat: :size).column(:size) }, "gitignore" => -> { Frugal.walk("#{tree}/b", gitignore: true) },
  "missing" => -> { Frugal.walk("#{tree}/none") }, "pruned" => -> { Frugal.walk(tree, prune: "a") },
  "refresh" => -> { snapshot.refresh }, "glob" => -> { Dir.glob("#{tree}/**/*") }, "base" => -> { Dir["**/*.c", base: tree] },
  "braces" => -> { Dir.glob("#{tree}/**/*.{c,h}") }, "find" => -> { Find.find(tree) { |path| path } },
  "find and prune" => -> { Find.find(tree) { |path| Find.prune if path == "#{tree}/a" } }
}
questions.each_value { |ask| 300.times { ask.call } }
questions.each do |name, ask|
  3.times do
    File.exist?(Frugal::Bench::MarkedTrace.mark(name))
    ask.call
    File.exist?(Frugal::Bench::MarkedTrace.mark(Frugal::Bench::MarkedTrace::END_MARK))
  end
end
