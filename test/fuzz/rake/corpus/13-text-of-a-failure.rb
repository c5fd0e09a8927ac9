RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "s.c", nil, 1],
  ],
  statements: [
    ["file(\"f0\" => \"s.c\") { |t| begin; raise IOError, \"inner\"; rescue IOError; raise \"outer\"; end }"],
    ["file(\"f1\" => \"f0\") { |t, a| Fuzz.build(t, a) }"],
    ["task(default: \"f1\")"],
  ]
)
