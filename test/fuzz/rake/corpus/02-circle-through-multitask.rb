RakeFuzz::Case.new(
  features: ["corpus"],
  argv: ["-j1"],
  tree: [
    ["file", "s.c", nil, 1],
  ],
  statements: [
    ["file(\"f0\" => \"m\") { |t, a| Fuzz.build(t, a) }"],
    ["multitask(m: \"f1\") { |t, a| Fuzz.act(t, a) }"],
    ["file(\"f1\" => \"f0\") { |t, a| Fuzz.build(t, a) }"],
    ["task(default: \"f0\")"],
  ]
)
