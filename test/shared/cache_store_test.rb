# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/caches"
require_relative "../support/store_gems"

# ActiveSupport::Cache::FrugalStore and the stock FileStore with each version of ActiveSupport, in a process of its own.
class CacheStoreTest < Frugal::TestCase
  CASES = File.expand_path("../support/cache_store", __dir__)
  SUMMARY = /^(\d+) runs, (\d+) assertions, 0 failures, 0 errors, \d+ skips$/

  (QUICK ? Caches.all("activesupport").last(1) : Caches.all("activesupport")).each do |upstream|
    %w[frugal_store file_store random].each do |store|
      define_method("test_#{store}_with_#{upstream}") { check(upstream, "#{CASES}/#{store}_cases.rb") }
    end
  end

  def test_the_versions_are_here
    skip "bin/setup --caches" if Caches.all("activesupport").empty?
    assert_operator Caches.all("activesupport").size, :>=, 3
  end

  private

  def check(upstream, file)
    skip "needs fork" unless Process.respond_to?(:fork)

    gems = [StoreGems::FOLDER, *Gem.path].join(File::PATH_SEPARATOR) # ActiveSupport asks RubyGems for msgpack
    result = run_command(RUBY, "-W0", *Caches.options(upstream), file, timeout: 240,
                                                                       env: { "RUBYOPT" => nil, "RUBYLIB" => nil, "GEM_PATH" => gems })
    assert result.success?, result
    assert_operator result.out[SUMMARY, 1].to_i, :>=, file.end_with?("random_cases.rb") ? 1 : 20, result
  end
end
