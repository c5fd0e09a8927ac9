# frozen_string_literal: true

require_relative "case"
require_relative "journal"

module RakeFuzz
  # Fixed cases: minimal ones that the fuzzer found and that differed then, and one or
  # more for each behaviour of Rake that a faster Rake might change.
  #
  # A file has one case as Ruby code, as {Case#to_source} writes it. A file that
  # <tt>rake_fuzz.rb --keep DIR</tt> wrote can be moved here without a change.
  module Corpus
    FOLDER = File.join(__dir__, "corpus")

    # @return [Hash{String=>Case}] by name
    def self.load
      Dir[File.join(FOLDER, "*.rb")].to_h do |file|
        kase = eval(File.read(file), TOPLEVEL_BINDING, file) # rubocop:disable Security/Eval -- our own files
        [File.basename(file, ".rb"), kase]
      end
    end
  end
end
