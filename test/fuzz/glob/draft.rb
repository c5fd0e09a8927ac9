# frozen_string_literal: true

require "pathname"

module GlobFuzz
  # Random trees, and random arguments of Dir.glob.
  class Draft
    NAMES = ["a", "b", "ab", "a.c", "b.c", "ab.h", ".hid", ".d", "é", "日本.c", "\xFF.c", "sp ace", "new\nline", "A",
             "a~", "c.c.c", "-x", "[x]", "x*y", "q?", "{z}", "back\\slash"].freeze
    ODD = ["uri:", "wow!", "file:a", "a:b"].freeze # JRuby may look for these in a jar
    PIECES = ["*", "**", "a", "b", "*.c", "a*", "*b", "a*c", ".*", "?", "[ab]", "{a,b}", "{b,a,b}", "..", ".", "é",
              "*é", "\\*", "", "*.{c,h}", "sp*", "*e", "**.c", "***", "nope", "[", "{"].freeze
    LAST_PIECES = ["*", "*.c", "a*", "*b", "a*c", "b*.h", "*c", "sp*ce", "*.c.c"].freeze

    ALTERNATIVES = ["", "a", "b", "*", "**", ".c", ".h", "c", "a*", "ab", "a/", "*/", "b/**/", ".", "..", "*.c", "é",
                    "[a]", "a,b", "\\,", "?", "{a,b}", ".{c,h}", "{,.c}", "a/**/*.{c,h}", "**/*{.c,.h,.c}", "*.{c,{h,d}}",
                    "{b,{a}/}", "{"].freeze
    # Patterns that programs use.
    COMMON = ["**/*", "*", "**/*.{c,h}", "**/*.c", "**/*.h", "*.{h,c}", "**/*{.c,c,b}", "**/*{,.c}", "**/a{b,}*", "**/*.{c,{h,d}}", "a/**/*{.{c,h},b}",
              "{,a/}*.c", "{a,b,*}", "{a,b}/**/*", "{a,ab}/**/*.{c,h}", "a/**/*.{c,h}", "{**/*,.h*}",
              "{a/**/*.{c,h},b/**/*}", "{a,b}/**/*.{c,{h,d}}", "{a/**/*.{c,h},a/**/*.c,ab/**/*,**/*.{h,c}}", "a/{b/**/*.{c,h},**/*.c}",
              "{{a,b}/**/*.c,{a,{b,ab}}/**/*.{h,c}}", "{a/**/*,nope/**/*.{c,h}}"].freeze
    # More alternatives than a walk takes.
    MANY = ["**/*.{c,#{Array.new(70) { |i| "x#{i}" }.join(",")}}", "{a,b}/**/*.{#{("aa".."cn").to_a.join(",")},c}",
            "**/*{#{Array.new(7, "{c,h}").join}}"].freeze
    BASES = [*NAMES.first(9), "a/b", "a/", "b//", ".", "..", "../5", "", "/nope", "nope/", "./a", "\xFF.c",
             "a\0"].freeze
    FLAGS = [File::FNM_DOTMATCH, File::FNM_DOTMATCH, File::FNM_DOTMATCH | File::FNM_EXTGLOB, File::FNM_EXTGLOB,
             File::FNM_CASEFOLD, File::FNM_NOESCAPE, File::FNM_PATHNAME, 1 << 20].freeze

    def initialize(seed)
      @random = Random.new(seed)
    end

    # A shell makes it, as JRuby cannot make all of these names.
    def make_tree(folder, levels)
      @made = {}
      @commands = ["umask 022".b]
      plan_tree(folder.b, levels)
      IO.popen("sh", "wb") { |shell| shell.write(@commands.join("\n"), "\n") }
      raise "cannot make a tree in #{folder}" unless $?.success?
    end

    # @return [String, Array<String>]
    def patterns(folder)
      return pattern(folder) unless chance(4)

      Array.new(@random.rand(1..3)) { chance(12) ? pick([nil, ["a"], :a, ""]) : pattern(folder) }
    end

    def options(folder)
      { flags: chance(3) ? pick(FLAGS) : 0, base: chance(3) ? base(folder) : nil, sort: !chance(4) }
    end

    def chance(one_in) = @random.rand(one_in).zero?

    private

    def plan_tree(folder, levels)
      @random.rand(1..7).times do
        path = "#{folder}/#{pick(chance(80) ? ODD : NAMES).b}"
        next if @made[path]

        @made[path] = true
        case @random.rand(9)
        when 0..3 then plan("touch", path)
        when 4 then plan("ln -s", pick(["a", ".", "..", "nowhere", "b", path[%r{[^/]*\z}m], "/etc/hostname"]), path)
        when 5 then plan("mkfifo", path)
        else plan_directory(path, levels)
        end
      end
    end

    def plan_directory(path, levels)
      plan("mkdir", path)
      plan_tree(path, levels - 1) if levels.positive?
      plan("chmod #{pick(%w[0 444 111])}", path) if chance(8)
    end

    def plan(command, *paths)
      @commands << "#{command} -- #{paths.map { |path| "'#{path.b}'" }.join(" ")}".b
    end

    def pattern(folder)
      return pick(COMMON).dup if chance(4)
      return pick(MANY).dup if chance(40)

      text = simple_pattern(folder)
      chance(4) ? with_group(text) : text
    end

    # The pattern with alternatives in braces at a random place.
    def with_group(text)
      group = "{#{Array.new(@random.rand(1..3)) { pick(ALTERNATIVES) }.join(",")}}".force_encoding(text.encoding)
      at = @random.rand(4).zero? ? @random.rand(text.bytesize + 1) : [0, text.bytesize].sample(random: @random)
      at = text.bytesize if text.start_with?("/")
      result = text.b.insert(at, group.b).force_encoding(text.encoding)
      result.start_with?("/") && !text.start_with?("/") ? text : result
    end

    def base(folder)
      base = case @random.rand(4)
             when 0 then folder + pick(["", "/", "/a", "/../5"])
             when 1 then pick(BASES)
             else pick([".", *Dir.children(".").select { |name| File.directory?(name) }])
             end
      base = base.dup.force_encoding(pick(%w[UTF-8 US-ASCII ASCII-8BIT ISO-8859-1])) if chance(4)
      return base if base.include?("\0") || !chance(3)

      chance(2) || !File.directory?(base) ? Pathname(base) : Dir.open(base)
    rescue SystemCallError
      base
    end

    def simple_pattern(folder)
      pieces = Array.new(@random.rand(1..4)) { pick(PIECES) }
      pieces = [*("**" if chance(2)), pick(LAST_PIECES)] unless chance(3)
      pieces.unshift(*Array.new(@random.rand(2)) { pick(NAMES).b.force_encoding("UTF-8") }) if chance(2)
      text = pieces.join("/")
      text = text.byteslice(1..) while text.start_with?("/") # the tree of the machine changes during a run
      text = "#{folder}/#{text}" if chance(4)
      text = text.dup.force_encoding(pick(%w[UTF-8 US-ASCII ASCII-8BIT ISO-8859-1])) if chance(6)
      text
    end

    def pick(list) = list[@random.rand(list.size)]
  end
end
