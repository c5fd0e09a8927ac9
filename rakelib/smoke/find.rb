# frozen_string_literal: true

# Requires: find

Dir.mkdir("folder")
File.write("folder/file", "")
Find.find("folder").to_a == %w[folder folder/file] or abort "not what is there"
