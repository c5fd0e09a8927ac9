# frozen_string_literal: true

module SinatraFuzz
  # Random paths for routes and for requests, of so few words that they often match.
  class Paths
    WORDS = [*%w[a b users] * 4, "x.y", "f-o_o~1", "a b", "a+b", "é", "b%61", "A"].freeze
    PARTS = [":id", ":name.:ext", ":id.?:format?", "*", "*path", ":a-:b", "(x|y)", "b?", "users(.:format)", "{word}", "ignore", ":ignore"].freeze
    EXPRESSIONS = [%r{/a/(\d+)}, %r{/(?<word>a|b)}, %r{/users|/a}, %r{/a/?}, %r{/A}i, /.*/, %r{/users/(?<id>\d+)(?:/(.*))?}].freeze

    def initialize(random)
      @random = random
    end

    # @return [String, Regexp, Mustermann::Pattern] the path of a route
    def pattern
      case @random.rand(24)
      when 0..2 then pick(EXPRESSIONS)
      when 3 then Mustermann.new(literal) | Mustermann.new("/users/:id")
      when 4 then Mustermann.new(literal, type: pick(%i[identity regexp sinatra]))
      when 5 then Mustermann.new(pick(EXPRESSIONS)) | Mustermann.new("/b")
      when 6 then Mustermann.new("/users") + Mustermann.new(pick(["/:id", "/*"]))
      when 7 then pick(["", "*", "a", "/", "//", "/a|/b", "(/a)?/b", "/?"])
      when 8..12 then literal
      else "#{literal}/#{pick(PARTS)}#{pick(["", "", "/?", "/#{pick(WORDS)}", "/#{pick(PARTS)}"])}"
      end
    end

    # @return [String]
    def literal = "/#{pick(WORDS)}#{pick(["", "", "", "/", "/?", "/#{pick(WORDS)}"])}"

    # @return [String] the path of a request
    def request
      path = Array.new(pick([1, 1, 2, 2, 2, 3, 4])) { "/#{pick([*WORDS, *WORDS, "7", "7", "x", "y.json", "7.txt", "nobody", ""])}" }.join
      case @random.rand(20)
      when 0 then path + pick(["/", "\n", "/\n", "?", "//"])
      when 1 then path.gsub(/[a-f]/) { |one| pick([one, format("%%%02x", one.ord), format("%%%02X", one.ord)]) }
      when 2 then pick(["", "/", "//", "a", "*", "\xff", "/\xff/a", "/a\0", "/%", "/%zz", "/a%2Fb", "/..", "/a/../b"])
      when 3 then path.b
      when 4 then path.encode("UTF-16LE")
      when 5 then "/file.txt"
      else path
      end
    end

    private

    def pick(list) = list[@random.rand(list.size)]
  end
end
