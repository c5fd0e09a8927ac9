# frozen_string_literal: true

# Counts open descriptors.
module Descriptors
  # Asserts that as many are open after the block as before. No garbage is collected meanwhile: that would close what
  # other tests have left open, and what the block should close.
  def assert_closes_its_descriptors
    GC.disable
    before = open_descriptors
    yield
    assert_equal before, open_descriptors
  ensure
    GC.enable
  end

  # Under JRuby those of the test's tree alone, since the JVM opens files of its own.
  #
  # @return [Integer]
  def open_descriptors
    return 0 unless Dir.exist?("/proc/self/fd")
    return Dir.children("/proc/self/fd").size if RUBY_ENGINE == "ruby"

    Dir.children("/proc/self/fd").count { |number| Frugal.readlink("/proc/self/fd/#{number}").to_s.start_with?(tree) }
  end
end
