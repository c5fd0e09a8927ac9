# frozen_string_literal: true

require "fileutils"
require_relative "../../lib/frugal/cli"
require_relative "../../lib/frugal/cli/completions"
require_relative "cli_files/pages"
require_relative "cli_files/man_page"
require_relative "cli_files/shells"

module Frugal
  # The files that are generated from the definitions of the commands: man pages, completions, and the
  # help that is shown where there is no Ruby.
  #
  #   ruby -r./rakelib/lib/cli_files -e 'Frugal::CLIFiles.write'
  module CLIFiles
    ROOT = File.expand_path("../..", __dir__)

    class << self
      # @return [Hash{String => String}] path below the checkout → text
      def all = { **man_pages, **completions, **help }

      # Writes all files, and removes the pages of commands that no longer exist.
      def write
        obsolete = Dir.glob(["man/man1/*.1", "libexec/help/*.txt"], base: ROOT) - all.keys
        obsolete.each { |path| File.delete(File.join(ROOT, path)) }
        FileUtils.mkdir_p(%w[man/man1 completions libexec/help].map { |folder| File.join(ROOT, folder) })
        all.each { |path, text| File.write(File.join(ROOT, path), text) }
      end

      private

      def man_pages = Pages.all.to_h { |page| ["man/man1/#{page.file_name}.1", ManPage.new(page).to_s] }

      def help
        texts = CLI::COMMANDS.to_h { |name| [name, CLI::Definition[name].help] }
        all = { **texts, "frugal" => CLI.overview, "version" => "frugal #{VERSION}\n" }
        all.transform_keys { |name| "libexec/help/#{name}.txt" }
      end

      def completions
        { "bash" => Bash, "zsh" => Zsh, "fish" => Fish }.to_h do |shell, template|
          ["completions/#{CLI::Completions::FILES.fetch(shell)}", template.new(Pages.definitions).to_s]
        end
      end
    end
  end
end
