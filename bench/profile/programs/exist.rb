# frozen_string_literal: true

# The worst case of the recorder: a program that does nothing but ask for a file.
side = ARGV.fetch(0)
size = ARGV.fetch(1).to_i
return if side == "prepare"

size.times { File.exist?("file") }
