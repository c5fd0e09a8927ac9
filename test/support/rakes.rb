# frozen_string_literal: true

# The Rakes that the drop-in knows: the installed one, and one of each other
# minor version, which bin/setup puts into tmp/rakes (beside, not among, the
# installed gems: `rake` must stay the Rake that it was).
module Rakes
  CACHE = File.expand_path("../../tmp/rakes/gems", __dir__)

  # @return [Array<String>] their folders, oldest first
  def self.all
    installed = Gem::Specification.find_all_by_name("rake").map(&:full_gem_path)
    (installed + Dir.glob("#{CACHE}/rake-*")).uniq { |folder| File.basename(folder) }.sort_by { |folder| version(folder) }
  end

  # @return [Gem::Version]
  def self.version(folder) = Gem::Version.new(File.basename(folder).delete_prefix("rake-"))
end
