# files: a.c b.c all.h
# undeclared: read a.o all.h 5
# undeclared: read b.o all.h 5

rule(".o" => ".c") { |t| File.write(t.name, File.read(t.source) + File.read("all.h")) }

task default: %w[a.o b.o]
