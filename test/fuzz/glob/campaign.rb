# frozen_string_literal: true

require "fileutils"
require "stringio"
require "tmpdir"
require_relative "draft"

module GlobFuzz
  STOCK = { glob: Dir.method(:glob), "[]": Dir.method(:[]) }.freeze # before they are replaced
end

require_relative "../../../lib/frugal/dir"
require_relative "../../../lib/frugal/walk/fast_glob"

module GlobFuzz
  # Compares many random calls, sixty on each tree, all drawn from one seed, in this process.
  class Campaign
    # @return [Integer] calls, and how many of them used a walk
    attr_reader :cases, :walked

    def initialize(seed:)
      @draft = Draft.new(seed)
      @cases = @walked = 0
    end

    # @param numbers [Enumerable<Integer>] of the cases; only how many there are matters
    # @return [String, nil] the first difference
    def run(numbers)
      until @cases >= numbers.size
        Dir.mktmpdir do |outside|
          folder = "#{outside}/1/2/3/4/5" # for four ".." in a pattern, and a link to one more
          FileUtils.mkdir_p(folder)
          @draft.make_tree(folder, 3)
          Dir.chdir(folder) { 60.times { difference(folder)&.then { |found| return found } } }
        ensure
          system("chmod -R u+rwx #{outside}; rm -rf #{outside}/1") # JRuby cannot remove all of these names
        end
      end
    end

    private

    def difference(folder)
      text = @draft.patterns(folder)
      keywords = @draft.options(folder)
      verbose = @draft.chance(3)
      internal(@draft.chance(4) ? Encoding::UTF_8 : nil) # as in Rails
      several = @draft.chance(8) ? [text] : [*text]
      globs = outcomes(:glob, [text], keywords, verbose)
      lists = outcomes(:[], several, keywords.except(:flags), verbose)
      @cases += 1
      @walked += 1 if Frugal::Walk::FastGlob.parts(text, **keywords)
      different = [globs, lists].find { |stock, ours| stock != ours }
      report(folder, text, keywords, verbose, different) if different
    end

    def internal(encoding)
      verbose, $VERBOSE = $VERBOSE, nil
      Encoding.default_internal = encoding
    ensure
      $VERBOSE = verbose
    end

    # @return [Array] the results of stock's method and of the drop-in's
    def outcomes(name, arguments, keywords, verbose)
      [STOCK[name], Dir.method(name)].map { |method| outcome(verbose) { method.call(*arguments, **keywords) } }
    end

    def report(folder, text, keywords, verbose, results)
      encodings = [*text].grep(String).map(&:encoding) << Encoding.default_internal
      [text, encodings, keywords, verbose, *results, `ls -laR #{folder} 2>&1`].map(&:inspect).join("\n")
    end

    def outcome(verbose)
      before, $VERBOSE, stderr, $stderr = $VERBOSE, verbose, $stderr, StringIO.new
      value = begin
        yield.map { |path| [path.b, path.encoding.name, path.frozen?] }
      rescue StandardError => e
        [e.class, e.message.b]
      end
      [value, $stderr.string.b.gsub(/^.*: warning: /n, "")]
    ensure
      $VERBOSE = before
      $stderr = stderr
    end
  end
end
