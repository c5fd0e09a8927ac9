# frozen_string_literal: true

Dir.mkdir("folder")
File.write("folder/file", "")
Dir.glob("**/*") == %w[folder folder/file] or abort "Dir.glob: not what is there"
Dir.children("folder") == %w[file] or abort "Dir.children: not what is there"
