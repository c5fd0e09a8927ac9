# frozen_string_literal: true

require_relative "ignore_world"

# Generates random {IgnoreWorld}s. Most patterns are made from an existing path, so that
# they match something, or nearly match it.
class IgnoreGenerator
  NAMES = ["a", "b", "ab", "aab", "abb", "foo", "foo.o", "bar.o", "foobar", "a.c", "lib", "doc", ".x", "x y", "a ", "a  b", " ",
           "#a", "!a", "a*b", "*", "**", "[a]", "]", "a\\b", "\\", "a-b", "^a", "a\tb", "a\nb", "a\r", "A", "Foo", "é", "aé", "\xFF",
           "\x80a", "\x01", "\v", "?", "{a,b}", "~", "a~", ":a", "a:", "aaaaaaaaaaab"].map(&:b).freeze
  BITS = ["*", "**", "***", "?", "[", "]", "[!", "[^", "[]", "[!]", "-", "\\", "/", "//", "**/", "/**", "/**/", "!", "#", " ", "  ",
          "\\ ", "\t", "[a-c]", "[b-a]", "[a-]", "[-a]", "[]a]", "[!]a]", "[[:alpha:]]", "[^[:alnum:].]", "[[:punct:]a]",
          "[[:space:]]", "[[:nope:]]", "[[:alpha]", "[[:", "[[:]", "[[::]]", "[\\]]", "[a-\\c]", "[\\a-c]", "[a/b]", "[/]", "[.-0]",
          "[\x80-\xFF]", "a", "b", "é", "\xC3", "\r", "\0", ".", "\\*", "\\?", "\\[", "\\/", "\\#", "\\!", "\\\\", "\\a"].map(&:b).freeze

  # A pattern that git reads differently since version 2.53.
  DISPUTED = %r{\A!?/?[^*?\[\\]*[^*?\[\\/]\*\*+(?:/|\\/|\s*\z)}n

  # @param seed [Integer]
  # @param disputed [Boolean] whether to generate such patterns
  def initialize(seed, disputed:)
    @random = Random.new(seed)
    @disputed = disputed
  end

  # @return [IgnoreWorld]
  def world
    folders = Array.new(rand(1..7)).each_with_object([""]) { |_, all| all << below(all.sample(random: @random), name) }.uniq
    files = (Array.new(rand(5..40)) { below(pick(folders), name) } - folders).uniq
    ruled = folders.select { one_in(2) } + (one_in(2) ? [IgnoreWorld::EXCLUDE] : [])
    rules = ruled.to_h { |folder| [folder, file((folders.drop(1) + files).filter_map { |path| inside(folder, path) })] }
    IgnoreWorld.new(folders.drop(1).map { |folder| "#{folder}/" } + files, rules, links: files.select { one_in(15) })
  end

  private

  def rand(range) = @random.rand(range)
  def one_in(count) = @random.rand(count).zero?
  def pick(list) = list[@random.rand(list.size)]
  def below(folder, name) = folder.empty? ? name : "#{folder}/#{name}"

  def name = one_in(4) ? "#{pick(NAMES)}#{pick(NAMES)}" : pick(NAMES)

  def inside(folder, path)
    return path if folder == IgnoreWorld::EXCLUDE || folder.empty?

    path.delete_prefix("#{folder}/") if path.start_with?("#{folder}/")
  end

  def file(paths)
    lines = Array.new(rand(1..8)) { line(paths) }
    lines.reject! { |line| DISPUTED.match?(line) } unless @disputed
    bytes = lines.map { |line| line + (one_in(8) ? "\r\n" : "\n") }.join
    bytes.chomp! if one_in(5)
    one_in(12) ? "\xEF\xBB\xBF".b + bytes : bytes
  end

  def line(paths)
    return Array.new(rand(1..7)) { pick(BITS) }.join if paths.empty? || one_in(5)

    line = part(pick(paths)).tap { |text| rand(0..3).times { mutate(text) } }
    line = "/#{line}" if one_in(6)
    line = "**/#{line}" if one_in(10)
    line = "#{line}#{pick(["/", "/", "/**", "/*", " ", "  ", "\\ "])}" if one_in(4)
    one_in(3) ? "!#{line}" : line
  end

  # The last names of the path, or the entire path.
  def part(path)
    names = path.split("/")
    names.last(one_in(2) ? names.size : rand(1..names.size)).join("/")
  end

  def mutate(text)
    at = rand(0..text.bytesize)
    case rand(0..6)
    when 0 then text.insert(at, pick(BITS))
    when 1 then text[at, 1] = "?"
    when 2, 3 then text[at, rand(0..4)] = "*"
    when 4 then text[at, rand(0..6)] = pick(["**", "/**/", "**/"])
    when 5 then text[at, 1] = set(text[at])
    else text[at, 1] = "\\#{text[at]}"
    end
  end

  def set(byte)
    inside = pick([byte.to_s, "a-c", "!x", "^#{byte}", "[:alpha:]", "[:lower:]-", "x#{byte}", "\\#{byte}", "!-~",
                   "[:print:]\x80-\xFF".b])
    "[#{inside}]".b
  end
end
