RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "s.c", nil, 1],
    ["file", "f0", nil, 10],
    ["file", "f1", nil, 20],
  ],
  statements: [
    ["require \"rake/phony\""],
    ["task(group: [\"f0\", \"phony\"]) { |t, a| Fuzz.act(t, a) }"],
    ["file(\"f0\" => \"phony\") { |t, a| Fuzz.build(t, a) }"],
    ["file(\"f1\" => [\"phony\", \"f0\"]) { |t, a| Fuzz.build(t, a) }"],
    ["task(default: %w[f1 group])"],
  ]
)
