# frozen_string_literal: true

# files: a.c b.c all.h
# undeclared: read a.o all.h 7
# undeclared: read b.o all.h 7

rule(".o" => ".c") { |t| File.write(t.name, File.read(t.source) + File.read("all.h")) }

task default: %w[a.o b.o]
