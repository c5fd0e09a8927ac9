# frozen_string_literal: true

# Asks Java's String#pathmap and String#ext the same as Rake's own, which this file keeps. See rake_twins.rb.
module RakePaths
  STOCK = %i[pathmap ext].to_h { |name| [name, String.instance_method(name)] }
  PIECES = ["a", "b.c", "..", ".", "/", "//", "x y.z", "~", "é", "\xFF", "\0", "\n", "\r", ":", "!/", "jar:", "C:"].freeze
  ENCODINGS = [Encoding::UTF_8, Encoding::UTF_8, Encoding::US_ASCII, Encoding::BINARY, Encoding::UTF_16LE].freeze
  SPECS = ["%X.o", "%p", "%f", "%n", "%d", "%x", "%2d", "%q", "%%%s%-", "%{^a,x}X.o", "%{a,b;b,c}p", '%{(.)$,<\1>}n', "é%f",
           "%{[,x}p", '%{a,\k<x>}p', "%{,b}d", nil, 1].freeze

  def self.outcome
    result = yield
    [result, result.encoding, result.class, result.frozen?]
  rescue StandardError => e
    [e.class, e.message]
  end

  # Rake's own method first, then the one in its place.
  def self.same_as_stock(name, path, *arguments)
    stock = outcome { STOCK[name].bind_call(path, *arguments) }
    found = outcome { path.public_send(name, *arguments) }
    stock == found or abort "#{name} #{arguments} of #{path.inspect} #{path.encoding}: #{stock} of Rake, #{found} here"
  end

  def self.check(random)
    STOCK.each_key { |name| String.instance_method(name) == STOCK[name] and abort "#{name} is Rake's" }
    3000.times do
      path = Array.new(random.rand(6)) { PIECES.sample(random: random).b }.join.force_encoding(ENCODINGS.sample(random: random))
      same_as_stock(:pathmap, path, SPECS.sample(random: random))
      same_as_stock(:ext, path, [".o", "o", "", "é", ".\n", path, nil].sample(random: random))
    end
  end

  # A method of the program's that Rake's own pathmap calls is called.
  def self.check_redefinition
    called = 0
    String.prepend(Module.new { define_method(:ext) { |*given| (called += 1) && super(*given) } })
    "a/b.c".pathmap("%X.o") == "a/b.o" && called == 1 or abort "String#ext of the program was called #{called} times"
  end
end
