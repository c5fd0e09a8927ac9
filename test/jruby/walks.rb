# frozen_string_literal: true

# The process of java_walk_test.rb that walks trees which it did not make: prints what is wrong.
#
#   jruby walks.rb ANSWERS        ANSWERS: the file with what another Ruby found
require "frugal"
require_relative "walk_answers"

expected = Marshal.load(File.binread(ARGV.fetch(0)))
abort "the engine is #{Frugal::Native.engine_name}" unless Frugal::Native.engine_name == :java

found = WalkAnswers.of(expected.map(&:first).uniq)
expected.zip(found) do |one, other|
  next if one == other

  one.zip(other).each { |here, there| puts "wrong: #{one.first(2)}: #{here.inspect}, got #{there.inspect}" unless here == there }
end
encoding = Encoding.find("filesystem") == Encoding::US_ASCII ? Encoding::BINARY : Encoding::UTF_8
puts "wrong: encoding" unless expected.all? { |root, *| Frugal.walk(root).all? { |path| path.encoding == encoding } }
classes = Frugal::Native.engine::Tree.list(expected[0][0], { sort: true }).class
puts "wrong: #{classes}" unless classes == Frugal::Native::Java::Tree
puts "#{found.size} answers"
