# frozen_string_literal: true

module FilesFuzz
  # Checks the response of Frugal::Files: it must be that of Rack::Files, but for the differences that
  # docs/http.md documents.
  class Expectation
    Answer = Struct.new(:status, :headers, :body) do
      def etag = headers["etag"] || headers["ETag"]
      def header(name) = headers.find { |key, _| key.casecmp?(name) }&.last
    end
    # The headers that Rack::Files does not have.
    MORE = %w[etag vary].freeze
    SUFFIXES = { "gzip" => ".gz", "br" => ".br" }.freeze

    def initialize(tree, stock, ours, options, env)
      @tree = tree
      @stock = stock
      @ours = ours
      @options = options
      @env = env
    end

    # @yieldparam status [Integer, String] of Frugal::Files
    # @return [String, nil] nil if the response is right
    def difference
      stock = right_length(ask(@stock, @env))
      before = descriptors
      ours = ask(@ours, @env)
      left_open = descriptors > before
      yield(kind(ours))
      problem = left_open ? "a descriptor is left open" : compare(stock, ours) || lint
      problem && "stock #{brief(stock)}\nours  #{brief(ours)}\n#{problem}"
    end

    private

    def descriptors = Dir.children("/proc/self/fd").size

    def kind(answer) = answer.is_a?(Answer) ? [answer.status, answer.header("content-encoding")].compact.join(" ") : "raised"

    def ask(app, env)
      status, headers, body = app.call(env.dup)
      bytes = +"".b
      body.each { |part| bytes << part.b }
      body.close if body.respond_to?(:close)
      Answer.new(status, headers, bytes)
    rescue StandardError => e
      "#{e.class}: #{e.message}"
    end

    # Rack 2.2 counts an error's characters, not its bytes.
    def right_length(answer)
      return answer unless Rack.release < "3" && answer.is_a?(Answer) && answer.status == 404

      answer.tap { answer.headers["Content-Length"] = "File not found: #{Rack::Utils.unescape_path(@env["PATH_INFO"])}\n".bytesize.to_s }
    end

    def brief(answer) = answer.is_a?(Answer) ? "#{answer.status} #{answer.headers} #{answer.body[0, 60].inspect} (#{answer.body.bytesize} bytes)" : answer

    def compare(stock, ours)
      return "it raises" unless ours.is_a?(Answer)
      return "it serves a file outside the root" if ours.body.include?(Tree::OUTSIDE) && @options[:follow_symlinks] != true
      return raised(ours) unless stock.is_a?(Answer)
      return same(stock, ours) if [405, 400, 404].include?(stock.status)
      return absent(ours) if refused?

      ours.header("content-encoding") ? variant(ours) : original(ours)
    end

    # Stock raises for bytes that are invalid in their encoding, and for names in two encodings.
    def raised(ours)
      "stock raises, and the status is #{ours.status}" unless [200, 206, 304, 400, 404, 405, 416].include?(ours.status)
    end

    def same(stock, ours)
      return if stock.to_a == ours.to_a

      "not the same"
    end

    # Whether the path has a link that must not be followed. With :inside these are absolute links and those that
    # lead out of the root.
    def refused?
      return false if @options[:follow_symlinks] == true

      names = clean(Rack::Utils.unescape_path(@env["PATH_INFO"]).b)
      full = [@tree.root.b, *names].join("/")
      return File.realpath(full).b != full unless @options[:follow_symlinks]

      !File.realpath(full).b.start_with?("#{@tree.root}/".b) || absolute?(names)
    end

    def absolute?(names)
      names.each_index.any? do |last|
        path = [@tree.root.b, *names[0..last]].join("/")
        File.symlink?(path) && absolute_link?(path)
      end
    end

    # Whether a link is absolute, or leads to an absolute link.
    def absolute_link?(path)
      text = File.readlink(path).b
      return true if text.start_with?("/")

      following = File.join(File.dirname(path), text).chomp("/")
      parts = following.split("/")
      parts.each_index.any? { |last| (one = parts[0..last].join("/")).start_with?(@tree.root.b) && one != path && File.symlink?(one) && absolute_link?(one) }
    end

    def clean(path)
      path.split("/").each_with_object([]) { |name, names| name == ".." ? names.pop : (names << name unless ["", "."].include?(name)) }
    end

    def absent(ours)
      "a link is followed" unless ours.status == 404 && ours.body.start_with?(@env["REQUEST_METHOD"] == "HEAD" ? "" : "File not found: ")
    end

    # The expected response is stock's to a request without the conditions that stock does not support, or
    # that are not met.
    def original(ours)
      env = @env.dup
      if (tags = env.delete("HTTP_IF_NONE_MATCH"))
        tag, = validators(@env.except("HTTP_IF_NONE_MATCH", "HTTP_IF_MODIFIED_SINCE"))
        return not_modified(ours) if @env["REQUEST_METHOD"] != "OPTIONS" && (tags.b.strip == "*" || (!tag.start_with?("W/") && tags.b.split(/,\s*/).any? { |one| one.delete_prefix("W/") == tag }))

        env.delete("HTTP_IF_MODIFIED_SINCE")
      end
      tag, date = validators("PATH_INFO" => @env["PATH_INFO"])
      if (validator = env.delete("HTTP_IF_RANGE")) && (tag.start_with?("W/") || ![tag, date].include?(validator))
        env.delete("HTTP_RANGE")
      end
      expected = ask(@stock, env)
      return raised(ours) unless expected.is_a?(Answer) # for a range with invalid bytes

      return not_modified(ours) if expected.status == 304

      ours.headers.reject! { |name, _| MORE.include?(name.downcase) }
      same(expected, ours)
    end

    # The tag and the date of what a client would get.
    def validators(env)
      answer = ask(@ours, env.merge("REQUEST_METHOD" => "HEAD"))
      return validators("PATH_INFO" => env["PATH_INFO"]) if answer.status == 416

      [answer.etag.to_s, answer.header("last-modified")]
    end

    def not_modified(ours)
      "not 304 as it should be" unless ours.status == 304 && ours.body.empty? && (ours.headers.keys.map(&:downcase) - %w[etag vary cache-control]).empty?
    end

    def variant(ours)
      names = clean(Rack::Utils.unescape_path(@env["PATH_INFO"]).b)
      path = File.realpath([@tree.root.b, *names].join("/"))
      coding = ours.header("content-encoding")
      beside = [@tree.root.b, *names].join("/") + SUFFIXES.fetch(coding)
      return "variants are off" unless @options[:precompressed]
      return "the client does not accept it" unless @env["HTTP_ACCEPT_ENCODING"].b.match?(/#{coding}|\*/i)
      return "older than its file" if File.mtime(beside) < File.mtime(path)
      return "a range of it" if @env["HTTP_RANGE"] && @env["HTTP_IF_RANGE"].nil? && ours.status == 206
      return "no vary" unless ours.header("vary").to_s.include?("accept-encoding")
      return if ours.status != 200 || @env["REQUEST_METHOD"] == "HEAD"

      "not its bytes" if ours.body != File.binread(beside) || ours.header("content-length") != ours.body.bytesize.to_s
    end

    # Rack::Lint must find no mistake, unless it finds one in stock's response, too.
    def lint
      lint_error(@ours) unless lint_error(@stock)
    end

    def lint_error(app)
      error = ask(Rack::Lint.new(app), @env)
      error if error.is_a?(String) && error.include?("Lint")
    end
  end
end
