RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "s.c", nil, 1],
    ["dir", "made", nil, 400],
    ["file", "made/x", nil, 30],
  ],
  statements: [
    ["directory \"made/deep\""],
    ["file(\"made/x\" => [\"s.c\", \"made\"]) { |t, a| Fuzz.build(t, a) }"],
    ["file(\"made/deep/y\" => [\"made/deep\", \"s.c\"]) { |t, a| Fuzz.build(t, a) }"],
    ["task(default: %w[made/x made/deep/y])"],
  ]
)
