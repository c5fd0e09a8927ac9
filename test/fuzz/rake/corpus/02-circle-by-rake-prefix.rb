RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "s.c", nil, 1],
    ["file", "f0", nil, 10],
    ["file", "f1", nil, 11],
  ],
  statements: [
    ["file(\"f0\" => \"f1\") { |t, a| Fuzz.build(t, a) }"],
    ["file(\"f1\" => \"rake:f0\") { |t, a| Fuzz.build(t, a) }"],
    ["task(default: [\"s.c\", \"f0\"])"],
  ]
)
