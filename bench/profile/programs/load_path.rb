# frozen_string_literal: true

# Loads what a Rails application loads. Stock looks for each file in the folders of all gems; the change has copied
# them to one folder, so that nothing is looked for in vain.
require "fileutils"

side = ARGV.fetch(0)
folders = $LOAD_PATH.grep(%r{/gems/})
if side == "prepare"
  Dir.mkdir("merged")
  folders.reverse_each { |folder| FileUtils.cp_r("#{folder}/.", "merged") }
  return
end

# Behind Ruby's own folders, as RubyGems adds those of gems.
$LOAD_PATH.replace($LOAD_PATH - folders + (side == "changed" ? [File.join(Dir.pwd, "merged")] : folders))
require "active_record"
require "action_controller"
require "action_view"
require "rails"
require "sinatra/base"
