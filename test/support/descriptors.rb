# frozen_string_literal: true

# Looks for descriptors that a block leaves open.
module Descriptors
  # What frugal opens that is no file.
  WATCHES = /\Aanon_inode:.*(?:inotify|eventpoll|io_uring)/

  # Asserts that the same is open after the block as before. No garbage is collected meanwhile: that would close what
  # other tests have left open, and what the block should close.
  def assert_closes_its_descriptors
    GC.disable
    before = open_descriptors
    yield
    assert_equal before, open_descriptors
  ensure
    GC.enable
  end

  # Those of the test's tree, and watches: threads of Ruby, of a JVM and of earlier tests open files of their own.
  #
  # @return [Array<String>] what they name, sorted
  def open_descriptors
    return [] unless Dir.exist?("/proc/self/fd")

    names = Dir.children("/proc/self/fd").map { |number| Frugal.readlink("/proc/self/fd/#{number}").to_s }
    names.select { |name| name.start_with?(tree) || (RUBY_ENGINE == "ruby" && WATCHES.match?(name)) }.sort
  end
end
