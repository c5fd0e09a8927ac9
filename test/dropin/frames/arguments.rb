# frozen_string_literal: true

# The errors of calls with odd objects, and the frames in which these are converted.
module Arguments
  CALLS = []

  # Records where its conversion is called, and what it returns.
  class Converted < BasicObject
    def self.with(methods)
      ::Class.new(self) do
        methods.each do |name, answer|
          define_method(name) do |*|
            CALLS.push(name, *::Kernel.caller(1))
            ::Proc === answer ? answer.call : answer
          end
        end
        define_method(:respond_to?) { |name, *| methods.key?(name) }
        define_method(:class) { ::Object }
        define_method(:inspect) { "odd" }
      end.new
    end
  end

  # Inspects as an object without an address.
  class Odd
    def initialize(&code) = (singleton_class.class_eval(&code) if code)

    def inspect = "odd"
    alias to_s inspect
  end

  RAISE = -> { raise IndexError, "converted" }
  ODD = {
    "to_str only" => -> { Odd.new { define_method(:to_str) { CALLS.push(:to_str, *caller(1)) && "src" } } },
    "to_path only" => -> { Odd.new { define_method(:to_path) { CALLS.push(:to_path, *caller(1)) && "src" } } },
    "to_str raises" => -> { Odd.new { define_method(:to_str) { RAISE.call } } },
    "to_path raises" => -> { Odd.new { define_method(:to_path) { RAISE.call } } },
    "to_str returns 1" => -> { Odd.new { define_method(:to_str) { 1 } } },
    "to_path returns 1" => -> { Odd.new { define_method(:to_path) { 1 } } },
    "a BasicObject" => -> { Converted.with({}) }, "a BasicObject with to_str" => -> { Converted.with(to_str: "src") },
    "nil" => -> {}, "an Integer" => -> { 1 }, "a Symbol" => -> { :src }, "an object" => -> { Odd.new }, "an Array" => -> { ["src"] },
    "a String subclass" => -> { Class.new(String).new("src") }, "frozen" => -> { "src" }, "a NUL" => -> { "a\0b" },
    "missing" => -> { "missing/one" }, "a pattern" => -> { "**/*" }, "a pattern with a NUL" => -> { "**/\0b" },
    "a wrong encoding" => -> { "src".encode("UTF-16LE") }, "empty" => -> { +"" }
  }.freeze

  class << self
    def observe(methods)
      methods.each do |subject|
        receiver, = ReplacedMethods::CASES[subject.to_s]
        next unless receiver

        odd = ODD.select { Observer.turn? }
        Observer.isolated(subject.to_s) { odd.each { |title, make| call(subject, receiver, title, make) } }
      end
    end

    private

    # With as many of these objects as it needs arguments, and with one more or less.
    def call(subject, receiver, title, odd)
      arity = subject.owner.instance_method(subject.name).arity
      needed = arity.negative? ? ~arity : arity
      [needed, [needed, 1].max, needed + 1].uniq.each do |count|
        CALLS.clear
        object = eval(receiver, TOPLEVEL_BINDING) # rubocop:disable Security/Eval
        seen = Observer.error { object.__send__(subject.name, *Array.new(count) { odd.call }) { |*| 1 } }
        Observer.see("#{subject} #{count} #{title}", [*seen, "calls", *CALLS])
      end
    end
  end
end
