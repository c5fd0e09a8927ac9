# frozen_string_literal: true

module FindFuzz
  # What Tree does with names that JRuby cannot reach: it writes "\xFF" as U+FFFD, so other programs rename, list and remove.
  module ShellTree
    RENAME = "find t -depth -name '*\u{FFFD}*' -execdir mv {} '".b << "\xFF\n".b << "' ';'\n"
    private_constant :RENAME

    # For an object of Tree.
    module Maker
      def make(folder = "t", depth = 0)
        super
        return unless depth.zero? && folder == "t"

        IO.popen("sh", "wb", err: File::NULL) { |shell| shell.write(RENAME) }
      end
    end

    # @return [Array<String>]
    def snapshot(folder = ".")
      format = "%P %y %m %l\\0"
      IO.popen(["find", folder, "-printf", format, { err: File::NULL }], "rb", &:read).split("\0").sort
    end

    def remove(folder)
      # JRuby's File.delete and Dir.rmdir raise for what is not there; so does this one.
      File.lstat(folder)
      raise Errno::EACCES, folder unless system("chmod", "-R", "u+rwx", folder, err: File::NULL) | true
      raise Errno::EACCES, folder unless system("rm", "-rf", folder, err: File::NULL)
    end
  end
end
