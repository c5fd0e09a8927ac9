RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "with space", nil, 1],
    ["file", "a:b", nil, 5],
    ["file", "ünï", nil, 6],
    ["file", "^x", nil, 7],
    ["file", "new\nline", nil, 8],
    ["file", "\xFFbad", nil, 9],
    ["file", "f", nil, 7],
  ],
  statements: [
    ["file(\"f\" => [\"with space\", \"a:b\", \"ünï\", \"./with space\", \"new\\nline\"]) { |t, a| Fuzz.build(t, a) }"],
    ["file(\"g\" => [\"^x\"]) { |t, a| Fuzz.build(t, a) }"],
    ["file(\"h\" => [\"\\xFFbad\"]) { |t, a| Fuzz.build(t, a) }"],
    ["task(default: %w[f h g])"],
  ]
)
