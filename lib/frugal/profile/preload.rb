# frozen_string_literal: true

require "digest"
require "tmpdir"
require_relative "../error"

module Frugal
  module Profile
    # Paths for LD_PRELOAD and RUBYOPT. Both are split at white space, LD_PRELOAD also at colons. A file whose path has
    # such a character gets a link, in a folder that only its user can write to. The link is not removed: programs that
    # outlive the profile still pass it on to the programs that they start.
    module Preload
      SPLIT = /[\s:]/
      private_constant :SPLIT

      class << self
        # *Cost*: no system call for a path without white space and colons.
        #
        # @param library [String] the absolute path of a library, or of the agent in Ruby
        # @return [String] a path of the same file without white space and colons
        # @raise [Error] if the folder for the link cannot be made
        def path(library)
          return library unless library.match?(SPLIT)

          link = File.join(folder, "#{::Digest::SHA256.hexdigest(library)[0, 16]}#{File.extname(library)}")
          File.symlink(library, link) unless File.symlink?(link) && File.readlink(link) == library
          link
        rescue Errno::EEXIST
          link
        rescue SystemCallError => e
          raise Error, "the recorder's path has white space or a colon, and it cannot be linked: #{e.message}"
        end

        private

        def folder
          base = [Dir.tmpdir, "/tmp"].grep_v(SPLIT).first
          folder = File.join(base, "frugal-recorder-#{Process.uid}")
          begin
            Dir.mkdir(folder, 0o700)
          rescue Errno::EEXIST
            stat = File.lstat(folder)
            safe = stat.directory? && stat.uid == Process.uid && (stat.mode & 0o022).zero?
            raise Error, "#{folder}: belongs to somebody else, or others can write to it" unless safe
          end
          folder
        end
      end
    end
  end
end
