# frozen_string_literal: true

require_relative "web_gems"

# Rack for this process: plain Ruby, so that of any Ruby's folder does, JRuby's own being none.
module Racks
  FOLDERS = Dir.glob(File.expand_path("../../tmp/webs/*/gems/rack-[23].*", __dir__)).to_h { |folder| [folder[/rack-([\d.]+)\z/, 1], folder] }.freeze
  NEWEST = FOLDERS.keys.max_by { |version| Gem::Version.new(version) }

  # @return [Boolean] whether it is here
  def self.load(version = NEWEST)
    return false unless FOLDERS.key?(version)

    library = "#{FOLDERS[version]}/lib"
    $LOAD_PATH << library unless $LOAD_PATH.include?(library)
    true
  end
end
