# frozen_string_literal: true

# Looks for descriptors that a block leaves open.
module Descriptors
  # Asserts that nothing more is open after the block than before. No garbage is collected meanwhile: that would close
  # what other tests have left open, and what the block should close. Threads of earlier tests may open something, too,
  # outside of the test's tree: then the block runs again, since a leak would be there again.
  def assert_closes_its_descriptors(&block)
    GC.disable
    left = left_open(&block)
    left = left_open(&block) if left.any? && left.none? { |name| name.start_with?(tree) }
    assert_empty left
  ensure
    GC.enable
  end

  # Under JRuby those of the test's tree alone, since the JVM opens files of its own.
  #
  # @return [Array<String>] what they name
  def open_descriptors
    return [] unless Dir.exist?("/proc/self/fd")

    names = Dir.children("/proc/self/fd").map { |number| Frugal.readlink("/proc/self/fd/#{number}").to_s }
    RUBY_ENGINE == "ruby" ? names : names.select { |name| name.start_with?(tree) }
  end

  private

  def left_open
    before = open_descriptors.tally
    yield
    open_descriptors.tally.select { |name, count| count > before.fetch(name, 0) }.keys
  end
end
