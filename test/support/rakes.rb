# frozen_string_literal: true

# needs: rakes

# The versions of Rake that the drop-in supports: the installed one, and one of each other
# minor version, which bin/setup installs into tmp/rakes. They are separate from RubyGems,
# so that the command `rake` stays the same.
module Rakes
  CACHE = File.expand_path("../../tmp/rakes/gems", __dir__)

  # @return [Array<String>] the folders of the gems, oldest first
  def self.all
    installed = Gem::Specification.find_all_by_name("rake").map(&:full_gem_path)
    (installed + Dir.glob("#{CACHE}/rake-*")).uniq { |folder| File.basename(folder) }
                                             .sort_by { |folder| version(folder) }
  end

  # @return [Gem::Version]
  def self.version(folder) = Gem::Version.new(File.basename(folder).delete_prefix("rake-"))
end
