# frozen_string_literal: true

require_relative "web_gems"

# Loads Rack into this process. Rack has no C extension, so the gem of any Ruby's folder works, also
# under JRuby, which has no folder of its own.
module Racks
  FOLDERS = Dir.glob(File.expand_path("../../tmp/webs/*/gems/rack-[23].*", __dir__))
               .to_h { |folder| [folder[/rack-([\d.]+)\z/, 1], folder] }.freeze
  NEWEST = FOLDERS.keys.max_by { |version| Gem::Version.new(version) }

  # @return [Boolean] whether this version is installed
  def self.load(version = NEWEST)
    return false unless FOLDERS.key?(version)

    library = "#{FOLDERS[version]}/lib"
    $LOAD_PATH << library unless $LOAD_PATH.include?(library)
    true
  end
end
