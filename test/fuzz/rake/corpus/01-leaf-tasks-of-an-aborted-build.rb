RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "s.c", nil, 1],
    ["file", "u.c", nil, 1],
  ],
  statements: [
    ["file(\"a\" => [\"s.c\", \"gone.c\", \"u.c\"]) { |t, a| Fuzz.build(t, a) }"],
    ["file(\"b\" => [\"u.c\"]) { |t, a| Fuzz.build(t, a) }"],
    ["task(default: [\"b\", \"a\"])"],
  ]
)
