# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/replaced_methods"

# Every method that a drop-in puts in the place of another, called with wrong arguments: the error and all that
# Ruby prints of it (since 3.2 the line that raised, since 4.0 the caller's and the callee's) is as with stock.
class RefusedArgumentsTest < Frugal::TestCase
  include ReplacedMethods

  # "right" stands for the arguments of the method's case.
  WRONG = {
    "none" => "", "too many" => "nil, nil, nil, nil, nil, nil, nil, nil", "nil" => "nil", "an object" => "Object.new",
    "a NUL" => '"a\\0b"', "a pattern with a NUL" => '"**/a\\0b"', "a keyword" => "unknown: 1",
    "frozen" => '"src".freeze, Object.new.freeze', "right, and a keyword" => "right, unknown: 1",
    "an object, and right" => "Object.new, right"
  }.freeze

  # Frames of frugal's are not upstream's: of the backtrace, the program's own count. Where a C method takes the place
  # of one in Ruby, its caller's line is there once more. docs/compatibility.md says both.
  SHOW = <<~'RUBY'
    def frames(error) = error.backtrace.map { |line| line[/\A.*?:\d+/] }.grep(/scenes\.rb/).chunk { |line| line }.map(&:first)

    def without_frames(text)
      lines = text.lines.grep_v(/\A\s+from /)
      [lines.first.to_s.sub(/\A\S*:\d+:in [`'].*?': /, ""), *lines.drop(1)].join
    end

    def show(title)
      Dir.chdir(START) unless Dir.pwd == START
      raised = begin
        yield
        nil
      rescue Exception => error
        error
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
      assert_empty different, -> { "#{engine}\n#{different.map { |one| told(stock[one], frugal[one]) }.join("\n")}" }
    end
  end

  private

  def told(stock, frugal) = "--- stock\n#{stock.join}--- frugal\n#{frugal.join}"

  # @return [Hash{String => Array<String>}] a call => what it printed
  def scenes_of(text)
    text.gsub(/0x\h+/, "0x").lines.slice_before(/\A\d/).to_h { |lines| [lines.first.chomp.sub(/: no error\z|:\z/, ""), lines] }
  end

  # A file for each method: since 3.4, Ruby parses the whole file for each line that it shows.
  def script
    number = 0
    files = CASES.reject { |name, _| name.match?(OPTIONAL) && !defined_upstream?(name) }.map do |name, (receiver, arguments)|
      method = name[/[#.](.+)\z/, 1]
      lines = calls(method, arguments).map do |kind, call|
        %(show("#{number += 1} #{name} #{kind}") { r = (#{receiver}); #{call} }\n)
      end
      file = "../#{number}.scenes.rb"
      "File.write(#{file.dump}, #{lines.join.dump}); load #{file.dump}"
    end
    [SHOW, *files].join("\n")
  end

  # @return [Array] [what is wrong, a call]
  def calls(method, arguments)
    WRONG.flat_map do |kind, wrong|
      next [] if arguments.include?("&") && wrong.include?("right")

      given = wrong.sub("right") { arguments }.delete_prefix(", ")
      ["r.#{method}(#{given}) { |*| }", "r.__send__(#{method.to_sym.inspect}, #{given}) { |*| }"].map { |call| [kind, call] }
    end
  end
end
