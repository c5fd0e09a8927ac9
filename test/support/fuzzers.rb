# frozen_string_literal: true

require "pathname"

# Short runs of the differential fuzzers of test/fuzz, in separate processes. FUZZ_SEED
# repeats a run.
module Fuzzers
  SEED = Integer(ENV.fetch("FUZZ_SEED", (Random.new_seed % 1_000_000_000).to_s))
  FOLDER = File.expand_path("../fuzz", __dir__)
  # These become the user nobody if root starts them, since root can read everything, and load files after that.
  BECOME_NOBODY = %w[cache checker fileutils files pstore].freeze
  LOCKED = Pathname(FOLDER).ascend.reject { |folder| folder.stat.mode.anybits?(0o001) }

  # @param name [String] such as "find"
  # @return [Subprocess::Result]
  def fuzz(name, *options, **settings)
    skip "whether a fuzzer finds anything: bin/test --all" if Frugal::TestCase::QUICK && options.intersect?(%w[--mutant --control])
    if BECOME_NOBODY.include?(name) && Process.uid.zero? && LOCKED.any?
      skip "this fuzzer runs as the user nobody, who has no permission to enter #{LOCKED.last}: move the checkout, or run it as another user than root"
    end
    run_command(Subprocess::RUBY, "-w", File.join(FOLDER, "#{name}_fuzz.rb"), "--seed", SEED.to_s, *options, **settings)
  end
end
