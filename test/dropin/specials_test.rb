# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/replaced_methods"
require "json"

# Every method that a drop-in replaces leaves the caller's `$~`, `$_`, `$?` and `$!` as stock does: in direct calls,
# in blocks, and in calls through a Method or a Proc. A C method has no frame of its own, so it could change them.
class SpecialsTest < Frugal::TestCase
  include ReplacedMethods

  # R: the receiver, M: the method, A: the arguments.
  CALLS = {
    "plain" => "R.__send__(:M, A)",
    "with a block" => "R.__send__(:M, A) { |*all| show(:in, $~, $_, $?, $!); 'in' =~ /i/; all.first }",
    "a Method" => "R.method(:M).unbind.bind(r).call(A)",
    "a Proc" => "R.method(:M).to_proc.call(A)",
    "mapped" => "[R].map { |one| one.__send__(:M, A) }",
    "in a block that matched" => "[R].each { |one| 'block' =~ /oc/; one.__send__(:M, A); " \
                                 "show(:block, $~, $_, $?, $!) }",
    "with a wrong argument" => "R.__send__(:M, 1, 2, 3, 4, 5, 6, 7, 8) rescue show($!.class, $~, $_, $?, nil)"
  }.freeze
  SYMBOL = "[R].map(&:M)"

  SHOW = <<~'RUBY'
    def show(place, match, line, status, error)
      puts "  #{[place, match&.to_a, line, status&.exitstatus, error&.message].inspect}"
    end
  RUBY

  def test_every_replaced_method_has_a_case
    replaced = replaced_methods
    assert_operator replaced.size, :>=, 20
    assert_empty replaced - CASES.keys, "these replaced methods have no case here"
  end

  def test_the_specials_of_the_caller_are_as_with_stock
    stock, frugal = %w[stock frugal].map { |side| printed(side, script) }
    assert_operator stock.lines.size, :>=, CASES.size * 5
    assert_equal stock, frugal
  end

  private

  def script
    scenes = CASES.flat_map do |name, (receiver, arguments)|
      next [] if name.match?(OPTIONAL) && !defined_upstream?(name)

      method = name[/[#.](.+)\z/, 1]
      calls = arguments.empty? ? CALLS.merge("by a Symbol" => SYMBOL) : CALLS
      calls = calls.reject { |_, call| arguments.include?("&") && call.include?("{ |*all|") }
      calls.map { |call, code| scene("#{name}, #{call}", receiver, code, method, arguments) }
    end
    [SHOW, *scenes].join("\n")
  end

  # Runs each call in its own method, in which these variables are not yet set.
  def scene(title, receiver, code, method, arguments)
    code = code.gsub(/\bR\b/, "r").gsub(":M", ":#{JSON.generate(method)}")
    code = code.gsub("(A)") { "(#{arguments})" }.gsub(", A)") { arguments.empty? ? ")" : ", #{arguments})" }
    <<~RUBY
      define_singleton_method(:scene) do
        puts #{title.inspect}
        r = #{receiver} rescue next
        system("exit 3")
        $_ = "line"
        raise "outer"
      rescue RuntimeError
        "before" =~ /f(o)r/
        begin
          #{code}
        rescue StandardError, NotImplementedError => e
          puts "  \#{e.class}"
        end
        show(:after, $~, $_, $?, $!)
      end
      scene
    RUBY
  end
end
