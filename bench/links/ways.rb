# frozen_string_literal: true

require "find"
require_relative "../../lib/frugal"

module Frugal
  module LinksBench
    # What is measured under MRI and JRuby: takes a root, returns the number of paths below it.
    WAYS = {
      count: ->(root) { Frugal.count(root) },
      walk: ->(root) { Frugal.walk(root).to_a.size },
      walk_alone: ->(root) { Frugal.walk(root, threads: 1).to_a.size },
      paths: ->(root) { Frugal.walk(root, follow: :paths).to_a.size },
      once: ->(root) { Frugal.walk(root, follow: :once).to_a.size },
      dir_glob: ->(root) { Dir.glob("#{root}/**/*").size },
      find_find: ->(root) { Find.find(root).to_a.size - 1 }
    }.freeze
  end
end
