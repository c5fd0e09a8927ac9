RakeFuzz::Case.new(
  features: ["corpus"],
  argv: ["-m", "-j1"],
  tree: [
    ["file", "s.c", nil, 1],
    ["file", "f0", nil, 10],
    ["file", "f1", nil, 0],
    ["file", "f2", nil, 5],
  ],
  statements: [
    ["file(\"f0\" => \"s.c\") { |t, a| Fuzz.build(t, a) }"],
    ["file(\"f1\" => [\"f0\", \"s.c\"]) { |t, a| Fuzz.build(t, a) }"],
    ["file(\"f2\" => [\"f1\", \"f0\"]) { |t, a| Fuzz.build(t, a) }"],
    ["task(default: %w[f2 f1])"],
  ]
)
