RakeFuzz::Case.new(
  features: ["corpus"],
  argv: ["clobber", "default"],
  tree: [
    ["file", "s.c", nil, 1],
    ["file", "a.o", nil, 10],
    ["file", "b.a", nil, 10],
    ["file", "x~", nil, 1],
  ],
  statements: [
    ["require \"rake/clean\""],
    ["CLEAN.include(\"*.o\", \"absent\"); CLOBBER.include(\"*.a\")"],
    ["file(\"a.o\" => \"s.c\") { |t, a| Fuzz.build(t, a) }"],
    ["file(\"b.a\" => \"a.o\") { |t, a| Fuzz.build(t, a) }"],
    ["task(default: \"b.a\")"],
  ]
)
