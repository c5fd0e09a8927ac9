# frozen_string_literal: true

desc "Generate the man pages and the completions from the definitions of the commands"
task :cli do
  require_relative "lib/cli_files"
  Frugal::CLIFiles.write
end
