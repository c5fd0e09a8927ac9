# frozen_string_literal: true

require_relative "../launcher"
require_relative "../native"

module Frugal
  class Doctor
    # Where `frugal run` keeps what programs are compiled to, and how much that is.
    class KeptCode
      # The launcher itself is asked: it alone chooses the folder.
      SHOW = ["/bin/sh", "-c", 'printf %s "$FRUGAL_BOOT"'].freeze
      NO_ENGINE = "only the C engine keeps bytecode"
      NO_FOLDER = "neither XDG_CACHE_HOME nor HOME is a path; FRUGAL_BOOT=/PATH names a folder"
      private_constant :SHOW, :NO_ENGINE, :NO_FOLDER

      # @return [Hash{Symbol => Object}] `folder` (String or nil), `files` and `bytes` (Integer or nil); `why` none are
      #   kept (String or nil). *Cost*: a process, a listing of at most 257 folders and an lstat for each file.
      def to_h
        found = Native.engine_name == :c ? folder : nil
        files = found && sizes(found)
        { folder: found, files: files&.size, bytes: files&.sum, why: reason(found) }
      rescue SystemCallError => e
        { folder: found, files: nil, bytes: nil, why: e.message }
      end

      private

      def folder
        text = IO.popen([*Launcher.command, "--", *SHOW], err: File::NULL, &:read)
        text if text.start_with?("/")
      end

      def reason(folder)
        return if folder
        return NO_ENGINE unless Native.engine_name == :c

        ENV["FRUGAL_BOOT"].to_s.empty? ? NO_FOLDER : "FRUGAL_BOOT=#{ENV["FRUGAL_BOOT"]}"
      end

      # Notes of programs that have run once are empty, and are no bytecode.
      #
      # @raise [SystemCallError] if the folder cannot be read; one that does not exist yet has no files
      def sizes(folder)
        parts = File.exist?(folder) ? Dir.children(folder).map { |name| File.join(folder, name) } : []
        parts.select { |part| File.directory?(part) }
             .flat_map { |part| Dir.children(part).map { |name| size(File.join(part, name)) } }.select(&:positive?)
      end

      # Another process may replace or sweep it meanwhile.
      def size(file)
        stat = File.lstat(file)
        stat.file? ? stat.size : 0
      rescue Errno::ENOENT
        0
      end
    end
  end
end
