RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "s.c", nil, 1],
    ["file", "f", nil, 631152000],
    ["file", "g", nil, 5],
  ],
  statements: [
    ["task(:now) { |t, a| Fuzz.act(t, a) }"],
    ["file(\"f\" => [\"now\", \"s.c\"]) { |t, a| Fuzz.build(t, a) }"],
    ["file(\"g\" => \"now\") { |t, a| Fuzz.build(t, a) }"],
    ["task(default: %w[f g])"],
  ]
)
