# frozen_string_literal: true

# files: a.c b.c b.h

require "pathname" # Rake 13.4 names it in rules and does not require it
rule(".o" => [->(name) { name.sub(".o", ".c") }]) { |t| File.write(t.name, File.read(t.source)) }
file "b.o" => "b.h"
rule(".exe" => ".o") { |t| cp t.source, t.name, verbose: false; File.read("a.c") if t.name == "a.exe"; File.read("b.h") if t.name == "b.exe" }

task default: %w[a.exe b.exe]
