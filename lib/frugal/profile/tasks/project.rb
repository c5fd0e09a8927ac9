# frozen_string_literal: true

require "tmpdir"

module Frugal
  module Profile
    module Tasks
      # The files of the project: below the Rakefile, or below the directory in which the tasks were executed. Gems, the
      # history of the project and temporary folders do not belong to them.
      class Project
        OTHERS = %r{(\A|/)(\.git|\.hg|\.svn|\.bundle|node_modules|gems/[^/]+-\d[^/]*|bundler/gems/[^/]+|
                    vendor/(bundle|cache|gems)|lib/ruby/\d[^/]*)/}xn
        private_constant :OTHERS

        # @param directories [Array<String>] absolute
        def initialize(directories)
          @directories = {}
          @paths = {}
          @inside = {}
          @roots = directories.uniq.map { |root| "#{directory(root)}/" } - ["//"]
          temporary = [Dir.tmpdir, "/tmp"].map { |folder| "#{directory(folder)}/" }
          @temporary = temporary.reject { |folder| @roots.any? { |root| root.start_with?(folder) } }
        end

        # @param path [String] absolute
        # @return [String] binary; without symbolic links, also if the file itself does not exist any more
        def resolved(path)
          @paths[path] ||= begin
            File.realpath(path).b
          rescue SystemCallError
            entry(path)
          end
        end

        # @param path [String] absolute
        # @return [String] binary; without symbolic links in its directory
        def entry(path)
          folder, name = File.split(File.expand_path(path.b))
          folder = directory(folder)
          folder == "/" ? "/#{name}".b : "#{folder}/#{name}".b
        end

        # @param path [String] as {#resolved} returns it
        # @return [Boolean]
        def include?(path)
          @inside.fetch(path) do
            root = @roots.find { |one| path.start_with?(one) }
            @inside[path] = !root.nil? && !path.byteslice(root.bytesize..).match?(OTHERS) &&
                            @temporary.none? { |folder| path.start_with?(folder) }
          end
        end

        private

        def directory(path)
          @directories[path] ||= begin
            File.realpath(path).b
          rescue SystemCallError
            File.expand_path(path.b)
          end
        end
      end
    end
  end
end
