RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "s.c", nil, 1],
    ["link", "a", "b", nil],
    ["link", "b", "a", nil],
  ],
  statements: [
    ["file(\"a\" => \"s.c\") { |t, a| Fuzz.act(t, a) }"],
    ["file(\"f\" => \"a\") { |t, a| Fuzz.build(t, a) }"],
    ["task(default: \"f\")"],
  ]
)
