# frozen_string_literal: true

# The process of java_globs_test.rb, for Dir and Find. Prints what is wrong, and what it has done.
#
#   jruby globs.rb TREE SEED
tree, seed = ARGV
STOCK = Dir.method(:glob)
require_relative "../fuzz/glob/campaign" # requires frugal/dir
require_relative "../fuzz/find/campaign" # requires frugal/find

shape = ->(method) { [method.parameters, method.arity, method.source_location, method.owner, method.inspect] }
puts "wrong: #{shape[Dir.method(:glob)]}" unless shape[Dir.method(:glob)] == shape[STOCK]
puts "wrong: private methods" if Dir.private_methods.grep(/frugal/).any?

# Arguments that JRuby judges, and blocks: the same lines of backtraces, but for the file of the method itself.
wrong = [[], [nil], ["**/*", { foo: 1 }], ["**/*", { sort: 1 }], ["**/*", "x"], ["**/*", 0, 1, 2], ["**/*\0"], [["**/*", nil]],
         ["**/*", 1 << 70], ["**/*", { flags: nil }], ["**/*".encode("UTF-16LE")], ["**/*", { base: 1 }], ["**/*", { "base" => "a" }]]
seen = lambda do |method, arguments, &block|
  [method.call(*arguments, &block)]
rescue StandardError => e
  [e.class, e.message, e.backtrace.map { |line| line.sub(%r{\A(?:org/jruby/RubyDir|frugal/GlobMethod)\.java:\d+}, "") }]
end
blocks = [nil, ->(path) { raise path }, ->(_) { caller.size }, ->(_) { $~ = "a".match(/a/) }]
[*wrong, ["#{tree}/**/*"], ["#{tree}/**/*", 0, { base: "a", sort: true }]].product(blocks) do |arguments, block|
  stock, ours = [STOCK, Dir.method(:glob)].map { |method| seen.call(method, arguments, &block) }
  puts "wrong: #{arguments.inspect}: #{stock.inspect}, got #{ours.inspect}" unless stock == ours
end
"x" =~ /(x)/
Dir.glob("#{tree}/**/*") { break }
puts "wrong: $~" unless $~ && $~[1] == "x"

campaign = GlobFuzz::Campaign.new(seed: seed.to_i)
difference = campaign.run(0...400)
puts "differs: #{difference}" if difference
puts "#{campaign.cases} patterns, #{campaign.walked} answered by a walk"

difference = FindFuzz::Campaign.new(seed: seed.to_i).run(0...60)
puts "differs: #{difference}" if difference

# What a test does to a method, and what a later definition does.
module Prepended
  def glob(...) = [:before, *super]
end
original = Dir.method(:glob)
Dir.define_singleton_method(:glob) { |*| [:stub] }
puts "wrong: the stub is not called" unless Dir.glob("**/*") == [:stub]
Dir.define_singleton_method(:glob, original)
Dir.singleton_class.prepend(Prepended)
puts "wrong: with a prepended module" unless Dir.glob("#{tree}/**/*.c") == [:before, *STOCK.call("#{tree}/**/*.c")]
puts "done"
