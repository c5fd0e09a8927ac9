# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/replaced_methods"

# Calls every method that a drop-in replaces with wrong arguments: the error, and everything that Ruby prints for
# it (since 3.2 the line that raised, since 4.0 the caller's and the callee's), is the same as with stock.
class RefusedArgumentsTest < Frugal::TestCase
  include ReplacedMethods

  # "right" stands for the arguments of the method's case.
  WRONG = {
    "none" => "", "too many" => "nil, nil, nil, nil, nil, nil, nil, nil", "nil" => "nil", "an object" => "Object.new",
    "a NUL" => '"a\\0b"', "a pattern with a NUL" => '"**/a\\0b"', "a keyword" => "unknown: 1",
    "frozen" => '"src".freeze, Object.new.freeze', "right, and a keyword" => "right, unknown: 1",
    "an object, and right" => "Object.new, right"
  }.freeze

  # Compares only the program's own lines in the backtrace, because frugal's frames differ from upstream's. If a C
  # method replaces one written in Ruby, the caller's line appears once more. See docs/compatibility.md.
  SHOW = <<~'RUBY'
    def frames(error)
      error.backtrace.map { |line| line[/\A.*?:\d+/] }.grep(/scenes\.rb/).chunk { |line| line }.map(&:first)
    end


    def without_frames(text)
      lines = text.lines.grep_v(/\A\s+from /)
      [lines.first.to_s.sub(/\A.*?:\d+:in [`'].*?': /, ""), *lines.drop(1)].join
    end

    def show(title)
      Dir.chdir(START) unless Dir.pwd == START
      raised = begin
        yield
        nil
      rescue Exception => e
        e
      end
      return puts("#{title}: no error") unless raised

      texts = [raised.class, raised.message, raised.inspect, raised.cause.inspect,
               (raised.detailed_message(highlight: false) if raised.respond_to?(:detailed_message)),
               (raised.detailed_message(highlight: true) if raised.respond_to?(:detailed_message)),
               without_frames(raised.full_message(highlight: false, order: :top)), *frames(raised)]
      puts "#{title}:", texts.join("\n").gsub(File.dirname(START), "").gsub(/^/, "  ")
    end
    START = Dir.pwd
  RUBY

  def test_the_text_of_an_error_is_as_with_stock
    stock = scenes_of(printed("stock", script))
    assert_operator stock.size, :>=, 300
    %w[c pure].each do |engine|
      frugal = scenes_of(printed("frugal", script, engine: engine))
      assert_equal stock.keys, frugal.keys
      different = stock.keys.reject { |title| stock[title] == frugal[title] }
      differences = different.map { |one| difference(stock[one], frugal[one]) }
      assert_empty different, "#{engine}\n#{differences.join("\n")}"
    end
  end

  private

  def difference(stock, frugal) = "--- stock\n#{stock.join}--- frugal\n#{frugal.join}"

  # @return [Hash{String => Array<String>}] a call => its output
  def scenes_of(text)
    text.gsub(/0x\h+/, "0x").lines.slice_before(/\A\d/).to_h do |lines|
      [lines.first.chomp.sub(/: no error\z|:\z/, ""), lines]
    end
  end

  # Writes one file per method: since 3.4, Ruby parses the entire file for each line that it shows.
  def script
    number = 0
    cases = CASES.reject { |name, _| name.match?(OPTIONAL) && !defined_upstream?(name) }
    files = cases.map do |name, (receiver, arguments)|
      method = name[/[#.](.+)\z/, 1]
      lines = calls(method, arguments).map do |kind, call|
        %(show("#{number += 1} #{name} #{kind}") { r = (#{receiver}); #{call} }\n)
      end
      file = "../#{number}.scenes.rb"
      "File.write(#{file.dump}, #{lines.join.dump}); load #{file.dump}"
    end
    [SHOW, *files].join("\n")
  end

  # @return [Array] [the kind of error, a call]
  def calls(method, arguments)
    WRONG.flat_map do |kind, wrong|
      next [] if arguments.include?("&") && wrong.include?("right")

      given = wrong.sub("right") { arguments }.delete_prefix(", ")
      calls = ["r.#{method}(#{given}) { |*| }", "r.__send__(#{method.to_sym.inspect}, #{given}) { |*| }"]
      calls.map { |call| [kind, call] }
    end
  end
end
