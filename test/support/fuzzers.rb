# frozen_string_literal: true

# Differential fuzzers of test/fuzz in small, as processes of their own. FUZZ_SEED
# makes a run the same again.
module Fuzzers
  SEED = Integer(ENV.fetch("FUZZ_SEED", (Random.new_seed % 1_000_000_000).to_s))
  FOLDER = File.expand_path("../fuzz", __dir__)

  # @param name [String] such as "find"
  # @return [Subprocess::Result]
  def fuzz(name, *options, **settings)
    run_command(Subprocess::RUBY, "-w", File.join(FOLDER, "#{name}_fuzz.rb"), "--seed", SEED.to_s, *options, **settings)
  end
end
