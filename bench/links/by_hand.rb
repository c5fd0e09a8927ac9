# frozen_string_literal: true

module Frugal
  module LinksBench
    # A lister as one writes it: children, is it a directory, go in. As there are
    # links, it resolves each directory's real path and does not enter one that it
    # is in already.
    module ByHand
      class << self
        # @param folder [String]
        # @return [Array<String>] below the folder
        def list(folder)
          found = []
          enter(folder, [File.realpath(folder)], found)
          found
        end

        private

        def enter(folder, above, found)
          Dir.children(folder).sort.each do |name|
            path = File.join(folder, name)
            found << path
            next unless File.directory?(path)

            real = File.realpath(path)
            enter(path, [*above, real], found) unless above.include?(real)
          end
        end
      end
    end
  end
end
