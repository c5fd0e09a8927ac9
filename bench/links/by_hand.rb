# frozen_string_literal: true

module Frugal
  module LinksBench
    # A simple lister in Ruby: for each child, if it is a directory, list it, too. Because of
    # links, it resolves the real path of each directory and does not enter one that
    # contains the current one.
    module ByHand
      class << self
        # @param folder [String]
        # @return [Array<String>] the paths below the folder
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
