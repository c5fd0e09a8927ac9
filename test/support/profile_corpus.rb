# frozen_string_literal: true

require_relative "recording_builder"

# Programs as recordings: those that waste something, with the kind and the line of each finding, and those that only look so.
module ProfileCorpus
  Case = Struct.new(:name, :expected, :program)

  class << self
    attr_reader :wastes, :look_alikes

    # @param expected [Hash{Symbol => String}] kind → "file:line" below /app, or an absolute place; both with
    #   an arrow between them if a library makes the calls
    def waste(name, expected, &program)
      (@wastes ||= []) << Case.new(name, expected.flat_map { |kind, places| Array(places).map { |place| [kind, place] } }, program)
    end

    def look_alike(name, &program)
      (@look_alikes ||= []) << Case.new(name, [], program)
    end
  end

  RAKE = "/gems/rake-13.0.6/lib/rake/file_task.rb"
end

require_relative "profile_corpus/questions"
require_relative "profile_corpus/changes_and_reads"
require_relative "profile_corpus/look_alike_questions"
require_relative "profile_corpus/look_alike_changes_and_reads"
