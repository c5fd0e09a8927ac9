RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "s.c", nil, 1],
  ],
  statements: [
    ["file(\"f0\" => [\"s.c\", \"f1\"]) { |t, a| Fuzz.build(t, a) }"],
    ["file(\"f1\" => \"f2\") { |t, a| Fuzz.build(t, a) }"],
    ["file(\"f2\" => [\"s.c\", \"f0\"]) { |t, a| Fuzz.build(t, a) }"],
    ["task(default: \"f0\")"],
  ]
)
