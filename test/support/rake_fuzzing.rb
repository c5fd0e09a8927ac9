# frozen_string_literal: true

require_relative "fuzzers"
require_relative "../fuzz/rake/campaign"
require_relative "../fuzz/rake/corpus"

# Runs of Rake's fuzzer in the process of a test.
module RakeFuzzing
  include Fuzzers

  RAKE = Gem::Specification.find_by_name("rake").full_gem_path

  private

  def campaign(minimize: false, rake: RAKE, **options)
    RakeFuzz::Campaign.new(minimize: minimize, rake: rake, **options).run
  end

  def with_pair(**options)
    pair = RakeFuzz::Pair.new(rake: RAKE, **options)
    yield pair
  ensure
    pair&.close
  end
end
