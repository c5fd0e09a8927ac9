RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "s.c", nil, (5000000001 / 500000000)],
    ["file", "f0", nil, (10000000001 / 1000000000)],
    ["file", "f1", nil, (10000000003 / 1000000000)],
  ],
  statements: [
    ["file(\"f0\" => \"s.c\") { |t, a| Fuzz.act(t, a) }"],
    ["file(\"f1\" => \"s.c\") { |t, a| Fuzz.build(t, a) }"],
    ["task(default: %w[f0 f1])"],
  ]
)
