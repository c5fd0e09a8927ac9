# frozen_string_literal: true

require "tmpdir"

module Fuzz
  # The folder of a campaign: a temporary one that can be removed although a case has left folders that their owner may
  # not read.
  #
  #   Fuzz.folder("zebra-fuzz-") { |home| numbers.each { |number| check("#{home}/#{number}") } }
  #
  # @param prefix [String]
  # @param parent [String, nil] where to make it
  # @yieldparam home [String]
  def self.folder(prefix, parent = nil)
    Dir.mktmpdir(prefix, *parent) do |home|
      yield home
    ensure
      system("chmod", "-R", "u+rwx", home)
    end
  end
end
