# frozen_string_literal: true

require_relative "case"
require_relative "journal"

module RakeFuzz
  # The frozen cases: what once differed (found by the fuzzer, minimal), and one
  # case or more for each thing that Rake does and a faster Rake might not.
  #
  # A file holds one case in Ruby, as {Case#to_source} writes it: what
  # <tt>rake_fuzz.rb --keep DIR</tt> leaves can be moved here as it is.
  module Corpus
    FOLDER = File.join(__dir__, "corpus")

    # @return [Hash{String=>Case}] by name
    def self.load
      Dir[File.join(FOLDER, "*.rb")].sort.to_h do |file|
        [File.basename(file, ".rb"), eval(File.read(file), TOPLEVEL_BINDING, file)] # rubocop:disable Security/Eval -- our own files
      end
    end
  end
end
