# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/upstream_options"
require "json"

# A program sees the replaced methods, and the frames of everything that they call or raise, as with stock: what Method
# tells about them, what `ruby -w` says when they are redefined, backtraces, `caller` and `warn uplevel:`.
# The methods are those that the drop-ins really replace; frames/ has the observations.
class FramesTest < Frugal::TestCase
  SIDE = File.join(__dir__, "frames/side.rb")
  # Runs one redefinition and one odd argument in five; FRAMES=all and `bin/test --all` run all.
  SHARE = ENV["FRAMES"] == "all" || ALL ? 1 : 5
  # Differences that remain: the title of an observation → the reason. docs/compatibility.md lists them.
  KNOWN = {
    /\Ac: (String#(ext|pathmap)|Rake::(Multi)?Task\.define_task) / => "C methods, which have no frame in a file",
    /\Ac: rake ext, (caller|locations|raise|no_method|spelling|errno)/ => "the block of String#pathmap, which is one of them",
    /\A\w+: rake, (a missing source|an action)\z/ => "frugal's walk of tasks is a loop, Rake's is a recursion",
    /\A\w+: rake, resolve\z/ => "frugal lists the files",
    /\Ac: Dir(\.|#)f?chdir / => "the C method calls Ruby's own, whose frame is the same once more",
    /\A\w+: ActionController::Instrumentation#process_action (parameters|inspect)/ => "before Ruby 3.2, only a parameter with a name can be passed on",
    /\A\w+: ActionDispatch::ExceptionWrapper#backtrace (def|define_method|alias)\z/ => "stock's is an attr_reader",
    /\A\w+: pstore, (corrupt|not a store|a Proc|an undumpable object)\z/ => "frugal loads and dumps",
    /\Apure: pstore(,? a subclass, |, a directory)/ => "the block is passed on by another block, which has a frame",
    /\Ac: fileutils, (a deep copy|copy) over a directory\z/ => "frugal's copy of a tree is a loop, FileUtils' is a recursion"
  }.freeze

  UpstreamOptions::GROUPS.each do |group|
    define_method("test_#{group}") { check(group) }
  end

  private

  def check(group)
    @options = UpstreamOptions.of(group) or skip UpstreamOptions::MISSING
    methods = output("list", group).out
    refute_empty JSON.parse(methods)
    stock = observations("stock", group, methods)
    (QUICK ? %w[c] : %w[c pure]).each do |engine|
      next if engine == "pure" && !works?(group)

      ours = observations("frugal", group, methods, engine)
      assert_equal stock.keys, ours.keys
      different = stock.keys.reject { |title| stock[title] == ours[title] }
      text = different.reject { |title| known?(title, engine) }.map { |title| difference(title, stock[title], ours[title]) }
      assert_empty text, "#{engine}\n#{text.join("\n")}"
    end
  end

  def known?(title, engine) = KNOWN.any? { |pattern, _| pattern.match?("#{engine}: #{title}") }

  def difference(title, stock, ours)
    lines = { "-" => stock - ours, "+" => ours - stock }.flat_map { |side, list| list.first(6).map { |line| "  #{side} #{line}" } }
    lines << "  the same lines, in another order or number: #{stock.size}, #{ours.size}" if lines.empty?
    ["#{title}:", *lines].join("\n")
  end

  # Whether the drop-in is on without the C extension.
  def works?(group) = output("list", group, engine: "pure", expect: nil).success?

  def observations(role, group, methods, engine = "c")
    output(role, group, SHARE.to_s, engine: engine, stdin: methods).out.lines.to_h { |line| JSON.parse(line) }
  end

  def output(role, group, *share, engine: "c", stdin: "", expect: true)
    folder = mkdir("#{role}-#{group}-#{engine}")
    env = { "RUBYOPT" => nil, "RUBYLIB" => nil, "FRUGAL_ENGINE" => engine }
    result = run_command(RUBY, "-W0", "-I", LIB, *@options, SIDE, role, group, *share,
                         chdir: folder, env: env, stdin: stdin, timeout: 300)
    assert result.success?, result if expect
    result
  end
end
