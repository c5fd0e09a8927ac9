RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "s.c", nil, 1],
    ["file", "f", nil, 5],
  ],
  statements: [
    ["file(\"s.c/x\" => []) { |t, a| Fuzz.act(t, a) }"],
    ["file(\"f\" => \"s.c/x\") { |t, a| Fuzz.build(t, a) }"],
    ["task(default: \"f\")"],
  ]
)
