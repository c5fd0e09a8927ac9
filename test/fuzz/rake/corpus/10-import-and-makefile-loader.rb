RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "s.c", nil, 1],
    ["file", "u.h", nil, 50],
    ["file", "a.o", nil, 10],
    ["file", "deps.mf", "a.o: s.c \\\n u.h\n# no\nb.o: s.c\n", 0],
  ],
  statements: [
    ["require \"rake/loaders/makefile\""],
    ["file(\"deps.mf\" => \"s.c\") { |t| Fuzz.act(t); Fuzz.touch(t.name, 900) }"],
    ["import \"deps.mf\""],
    ["file(\"a.o\") { |t, a| Fuzz.build(t, a) }"],
    ["file(\"b.o\") { |t, a| Fuzz.build(t, a) }"],
    ["task(default: %w[a.o b.o])"],
  ]
)
