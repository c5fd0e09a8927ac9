# frozen_string_literal: true

require "fileutils"
require "stringio"
require "tmpdir"
require_relative "../../../lib/frugal/dir"
require_relative "draft"

module GlobFuzz
  # Many questions on trees of sixty each, all drawn from one seed, in this process.
  class Campaign
    # @return [Integer] questions, and how many of them a walk answered
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
          folder = "#{outside}/1/2/3/4/5" # ".." may come four times, and a link to it once more
          FileUtils.mkdir_p(folder)
          @draft.plant(folder, 3)
          Dir.chdir(folder) { 60.times { difference(folder)&.then { |found| return found } } }
        ensure
          system("chmod", "-R", "u+rwx", outside)
        end
      end
    end

    private

    def difference(folder)
      text = @draft.patterns(folder)
      keywords = @draft.options(folder)
      verbose = @draft.chance(3)
      stock, ours = %i[frugal_stock_glob glob].map { |name| outcome(verbose) { Dir.__send__(name, text, **keywords) } }
      several = @draft.chance(8) ? [text] : [*text]
      listed = %i[frugal_stock_at []].map { |name| outcome(verbose) { Dir.__send__(name, *several, **keywords.except(:flags)) } }
      @cases += 1
      @walked += 1 if Frugal::Walk::FastGlob.parts(text, **keywords)
      return if stock == ours && listed.first == listed.last

      [text, [*text].grep(String).map(&:encoding), keywords, verbose, *(stock == ours ? listed : [stock, ours]), `ls -laR #{folder} 2>&1`].map(&:inspect).join("\n")
    end

    def outcome(verbose)
      before, $VERBOSE, stderr, $stderr = $VERBOSE, verbose, $stderr, StringIO.new
      value = begin
        yield.map { |path| [path.b, path.encoding.name, path.frozen?] }
      rescue StandardError => error
        [error.class, error.message.b]
      end
      [value, $stderr.string.b.gsub(/^.*: warning: /n, "")]
    ensure
      $VERBOSE = before
      $stderr = stderr
    end
  end
end
