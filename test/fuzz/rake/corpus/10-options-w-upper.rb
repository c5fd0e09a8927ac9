RakeFuzz::Case.new(
  features: ["corpus"],
  argv: ["-W"],
  tree: [
    ["file", "s.c", nil, 1],
    ["file", "f0.o", nil, 10],
    ["file", "f1", nil, 20],
  ],
  statements: [
    ["rule(\".o\" => \"s.c\") { |t, a| Fuzz.build(t, a) }"],
    ["desc \"Described\"\nfile(\"f1\" => [\"f0.o\", \"s.c\"]) { |t, a| Fuzz.build(t, a) }"],
    ["task(default: \"f1\")"],
  ]
)
