# frozen_string_literal: true

# Prints the results of random names, specs and lists. The lines must be the same with
# stock Rake and under the drop-in. Argument: a seed.
require "rake"

RANDOM = Random.new(Integer(ARGV.fetch(0)))
PIECES = ["a", "b", ".", "/", "..", ".c", "~", "\n", "é", "\xff", "-", " ", "src", "out", "core", "CVS", ".svn",
          ".bak", "\\", "*", "%", "{", "}", ",", ";", "^", "$"].freeze
SPECS = ["%f", "%n", "%d", "%x", "%X", "%p", "%s", "%-", "%%", "%2d", "%-1d", "%{^src,out}X", "%{a,b}d",
         "%{\\.c$,.o}p", "%{^a,b;c,d}n", "%{^src/,out/\\0}f", ".o", "é", "%", "%q", "%{(,x}p", "%{,x}p", "%{}X",
         "%{a}f", "%{a,*}p", "%{a,b}3d", "%{^a,b}s"].freeze
ENCODINGS = %w[UTF-8 US-ASCII ASCII-8BIT ISO-8859-1].freeze
EXTENSIONS = ["o", ".o", "", "é", :o, nil].freeze
SINGULAR = Regexp.new("a").tap { |one| def one.=~(_) = nil }
EXCLUDED = [/a/, "*.c", "a*", :x, nil, %w[a b], /\.c\z/i, /[.~]/, /a/n, /é/, /\xff/n, /(?<x>b)|\A[^a]/, "**/*", "{a,b}*", "[a-c]", "?", "é*",
            "*.c".encode("UTF-16LE"), "*\xff", "\\*", "{a", SINGULAR, Class.new(Regexp).new("b"), "**/.c", "src/**/*.c"].freeze

def pick(list) = list[RANDOM.rand(list.size)]
def name(pieces) = Array.new(RANDOM.rand(pieces)) { pick(PIECES) }.join
def shown(value) = value.is_a?(String) ? [value, value.encoding.name, value.frozen?] : value

def outcome
  shown(yield)
rescue StandardError => e
  [e.class, e.message.sub(/#<.*/m, "")]
end

def list(names, excluded)
  list = Rake::FileList.new
  names.each { |name| list.include(name) }
  list.exclude(*excluded)
  before = list.to_a.dup
  list.exclude(names.first) if names.any?
  [before, list.to_a, list.to_s, list.ext("x").to_a, list.pathmap("%n").class]
end

2000.times do
  name = name(8)
  name = name.dup.force_encoding(pick(ENCODINGS)) if RANDOM.rand(5).zero?
  spec = Array.new(RANDOM.rand(4)) { pick(SPECS) }.join
  extension = pick(EXTENSIONS)
  p [name, spec, outcome { name.pathmap(spec) }, extension, outcome { name.ext(extension) }]
end
400.times do
  names = Array.new(RANDOM.rand(6)) { name(5) }
  excluded = Array.new(RANDOM.rand(3)) { RANDOM.rand(2).zero? ? pick(EXCLUDED) : name(3) }
  p [names, excluded, outcome { list(names, excluded) }]
end
