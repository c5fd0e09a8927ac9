# frozen_string_literal: true

require_relative "../../frugal"
require_relative "../launcher"

module Frugal
  class Doctor
    # The folder in which `frugal run` keeps the bytecode of programs, and the size of that bytecode.
    class KeptCode
      # Prints the folder under the launcher: only the launcher chooses it.
      SHOW = ["/bin/sh", "-c", 'printf %s "$FRUGAL_BOOT"'].freeze
      NO_ENGINE = "only the C engine keeps bytecode"
      NO_FOLDER = "neither XDG_CACHE_HOME nor HOME is a path; FRUGAL_BOOT=/PATH names a folder"
      private_constant :SHOW, :NO_ENGINE, :NO_FOLDER

      # @return [Hash{Symbol => Object}] `folder` (String or nil), `files` and `bytes` (Integer or nil); `why`, the
      #   reason why none are kept (String or nil). *Cost*: a process, and a walk of at most 257 folders with the sizes
      #   of all files.
      def to_h
        why = Dropin::Switch.all_off || (NO_ENGINE unless Native.engine_name == :c)
        return none(why) if why

        found = folder or return none(ENV["FRUGAL_BOOT"].to_s.empty? ? NO_FOLDER : "FRUGAL_BOOT=#{ENV["FRUGAL_BOOT"]}")
        files = sizes(found)
        { folder: found, files: files.size, bytes: files.sum, why: nil }
      rescue SystemCallError => e
        none(e.message, found)
      end

      private

      def none(why, folder = nil) = { folder: folder, files: nil, bytes: nil, why: why }

      def folder
        text = IO.popen([*Launcher.command, "--", *SHOW], err: File::NULL, &:read)
        text if text.start_with?("/")
      end

      # Empty files are left out: they only note that a program has run once, and are not bytecode.
      #
      # @raise [SystemCallError] if the folder cannot be read; one that does not exist yet has no files
      def sizes(folder)
        files = Frugal.walk(folder, glob: "*/*", stat: :size, on_error: ->(_, error) { raise error })
        return files.column(:size).select(&:positive?) if files
        raise Errno::ENOTDIR, folder if Frugal.exist?(folder)

        []
      end
    end
  end
end
