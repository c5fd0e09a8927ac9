# frozen_string_literal: true

$LOAD_PATH.unshift(File.expand_path("../../../lib", __dir__))
require "frugal/files"
require "rack/files"
require "rack/lint"
require "rack/mock"
require_relative "../../support/users"
require_relative "../folder"
require_relative "tree"
require_relative "request"
require_relative "expectation"
require_relative "mutants"

module FilesFuzz
  # Sends many requests to each of many trees, as the user nobody, because root may read every file.
  class Campaign
    include Users

    REQUESTS = 25

    def initialize(seed:, mutant: nil)
      @seed = seed
      @seen = Hash.new(0)
      Mutants.public_send(mutant) if mutant
    end

    # @param numbers [Enumerable<Integer>] of the cases
    # @return [String, nil] the first difference
    def run(numbers)
      Fuzz.folder("files-fuzz-") do |home|
        File.chmod(0o755, home)
        numbers.each do |number|
          difference = check(File.join(home, number.to_s), Random.new(@seed * 1_000_003 + number))
          return "case #{number} of seed #{@seed} differs\n#{difference}" if difference
        end
      end
      nil
    end

    # @return [String] how often each status was returned
    def tally = @seen.sort_by { |status, _| status.to_s }.map { |status, count| "#{status}: #{count}" }.join(", ")

    private

    def check(home, random)
      tree = Tree.new(home, random)
      options = { follow_symlinks: [false, :inside, true].sample(random: random), precompressed: random.rand(2).zero?, x_sendfile: random.rand(4).zero? }
      more = [[], [{ "cache-control" => "no-cache" }], [{ "x-a" => "1", "content-type" => "a/b" }, nil], [nil, "x/y"]].sample(random: random)
      stock = Rack::Files.new(tree.root, *more)
      ours = Frugal::Files.new(tree.root, *more, **options)
      as_nobody do
        REQUESTS.times do
          request = Request.new(tree, random, ours)
          difference = Expectation.new(tree, stock, ours, options, request.env).difference { |status| @seen[status] += 1 }
          return "#{request}\n#{options} #{more}\n#{difference}" if difference
        end
      end
      nil
    ensure
      tree&.remove
    end
  end
end
