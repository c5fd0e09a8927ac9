# frozen_string_literal: true

module FilesFuzz
  # A random request, mostly for an existing file, with a path that is written in an unusual way.
  class Request
    RANGES = ["bytes=0-", "bytes=0-0", "bytes=1-5", "bytes=-3", "bytes=0-0,2-3", "bytes=5-1", "bytes=999999-", "bytes=0-9,20-29,40-", "bytes=-",
              "bytes=a-b", "items=1-2", "bytes=0-65536", "bytes=65536-", "bytes=100-200,0-50", "bytes=-0", "bytes= 1-2", "bytes=0-1;x", "",
              "bytes=0-1\xFF", "bytes=#{(["0-0"] * 120).join(",")}"].freeze
    CODINGS = ["gzip", "br", "gzip, br", "gzip;q=0.5, br;q=0.1", "gzip;q=0, *", "*;q=0", "identity", "br;q=0,gzip", "x-gzip", "GZIP", ",;q=", "", ";",
               "gzip, \xFF", "\xFF;q=1, br", "gzip br", " br\t,x"].freeze

    # @return [Hash] a Rack environment
    attr_reader :env

    def initialize(tree, random, ours)
      @random = random
      @tree = tree
      @env = Rack::MockRequest.env_for("/")
      @env["REQUEST_METHOD"] = [*%w[GET] * 20, *%w[HEAD] * 4, "OPTIONS", "POST", "get"].sample(random: random)
      path = "/#{path()}"
      path = path.dup.force_encoding(%w[UTF-8 BINARY BINARY US-ASCII].sample(random: random))
      @env["PATH_INFO"] = path
      conditions(ours)
    end

    def to_s = @env.slice(*@env.keys.grep(/\A(?:HTTP_|REQUEST_METHOD|PATH_INFO)/)).inspect

    private

    def one_in(number) = @random.rand(number).zero?

    def path
      path = one_in(12) ? ["missing", "../outside/secret", "..", "", "a/../..", "/", "../root/a", "x" * 300, "x/" * 3000].sample(random: @random).b : @tree.paths.sample(random: @random).b
      @random.rand(3).times { path = twist(path) } if one_in(2)
      path = path.gsub(%r{[^\w./-]}n) { |byte| escape(byte) } unless one_in(4)
      path = path.gsub("%", "%25") if one_in(20)
      one_in(25) ? path.insert(@random.rand(path.bytesize + 1), ["%00", "\0", "%", "%4", "%zz", "%FF", "\xFF", "%c3%28", "%2e%2e%2f"].sample(random: @random).b) : path
    end

    def twist(path)
      case @random.rand(8)
      when 0 then path.sub("/", "//")
      when 1 then "./#{path}"
      when 2 then "missing/../#{path}"
      when 3 then "#{path}/"
      when 4 then path.sub("/") { escape("/") }
      when 5 then path.gsub(/[a-z]/n) { |letter| one_in(5) ? escape(letter) : letter }
      when 6 then "#{path}/."
      else "../#{path}/../#{File.basename(path)}"
      end.b
    end

    def escape(byte) = format(one_in(2) ? "%%%02x" : "%%%02X", byte.ord)

    def conditions(ours)
      @env["HTTP_ACCEPT_ENCODING"] = CODINGS.sample(random: @random) if one_in(2)
      @env["HTTP_RANGE"] = RANGES.sample(random: @random) if one_in(3)
      headers = cached_headers(ours)
      tags = [headers["etag"], headers["ETag"], "\"other\"", "*", "W/\"other\", #{headers["etag"]}", "", "\xFF", "\"\xFF\", *"].compact
      dates = [headers["last-modified"], headers["Last-Modified"], Time.at(0).httpdate, "garbage"].compact
      @env["HTTP_IF_NONE_MATCH"] = tags.sample(random: @random) if one_in(6)
      @env["HTTP_IF_MODIFIED_SINCE"] = dates.sample(random: @random) if one_in(6)
      @env["HTTP_IF_RANGE"] = (tags + dates).sample(random: @random) if one_in(4)
    end

    # The headers that a client has of its last request.
    def cached_headers(ours)
      headers, body = ours.call(@env.merge("REQUEST_METHOD" => "HEAD")).drop(1)
      body.close if body.respond_to?(:close)
      headers
    end
  end
end
