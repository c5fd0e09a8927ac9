# frozen_string_literal: true

# Requires: fileutils

FileUtils.mkdir_p("a/b")
File.write("a/b/file", "text")
FileUtils.cp_r("a", "c")
FileUtils.rm_r("a")
File.exist?("a") and abort "a was not removed"
File.read("c/b/file") == "text" or abort "c/b/file has other bytes"
