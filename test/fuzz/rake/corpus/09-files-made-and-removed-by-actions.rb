RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "s.c", nil, 1],
    ["file", "f1", nil, 20],
    ["file", "x", nil, 3],
  ],
  statements: [
    ["file(\"f0\" => \"s.c\") { |t| Fuzz.build(t); Fuzz.write(\"made.c\"); rm_f \"x\", verbose: false }"],
    ["file(\"f1\" => [\"made.c\", \"f0\"]) { |t, a| Fuzz.build(t, a) }"],
    ["file(\"f2\" => \"x\") { |t, a| Fuzz.build(t, a) }"],
    ["task(default: %w[f0 f1 f2])"],
  ]
)
