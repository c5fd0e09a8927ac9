# frozen_string_literal: true

require "open3"
require "rbconfig"
require_relative "../../support/caches"
require_relative "../folder"

module CheckerFuzz
  # Cases of one version of ActiveSupport, in a process of their own: see run.rb.
  class Campaign
    RUN = File.expand_path("run.rb", __dir__)
    SUMMARY = /\A\d+ changes, \d+ questions, \d+ unchanged, \d+ of them asked of stock\n\z/

    # @param upstream [String] one of {Caches.all}
    # @param mutant [String, nil] a file that breaks the drop-in
    def initialize(upstream, seed:, mutant: nil)
      @upstream = upstream
      @seed = seed
      @mutant = mutant
    end

    # Prints how many changes there were, and how often the drop-in left an answer to stock.
    #
    # @param numbers [Enumerable<Integer>] of the cases
    # @return [String, nil] the first difference
    def run(numbers)
      Fuzz.folder("fuzz-") do |home|
        arguments = [RUN, @seed.to_s, numbers.to_a.join(","), home, *@mutant]
        out, status = Open3.capture2e({ "RUBYOPT" => nil, "TZ" => "UTC" }, RbConfig.ruby, "-W0", *Caches.options(@upstream),
                                      *arguments)
        next puts(out) if status.success? && SUMMARY.match?(out)
        raise "#{@upstream}: #{status}\n#{out}" unless out.start_with?("case ")

        "#{out.chomp} with #{@upstream}, seed #{@seed}"
      end
    end
  end
end
