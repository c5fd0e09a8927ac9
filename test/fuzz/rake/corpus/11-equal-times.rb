RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "s.c", nil, 10],
    ["file", "f0", nil, 10],
    ["file", "f1", nil, 10],
  ],
  statements: [
    ["file(\"f0\" => \"s.c\") { |t, a| Fuzz.build(t, a) }"],
    ["file(\"f1\" => [\"f0\", \"s.c\"]) { |t, a| Fuzz.build(t, a) }"],
    ["task(default: \"f1\")"],
  ]
)
