# frozen_string_literal: true

# Short runs of the differential fuzzers of test/fuzz, in separate processes. FUZZ_SEED
# repeats a run.
module Fuzzers
  SEED = Integer(ENV.fetch("FUZZ_SEED", (Random.new_seed % 1_000_000_000).to_s))
  FOLDER = File.expand_path("../fuzz", __dir__)

  # @param name [String] such as "find"
  # @return [Subprocess::Result]
  def fuzz(name, *options, **settings)
    run_command(Subprocess::RUBY, "-w", File.join(FOLDER, "#{name}_fuzz.rb"), "--seed", SEED.to_s, *options, **settings)
  end
end
