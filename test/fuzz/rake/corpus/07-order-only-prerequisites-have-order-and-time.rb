RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "s.c", nil, 1],
    ["file", "u.c", nil, 100],
    ["file", "f", nil, 50],
  ],
  statements: [
    ["file(\"f\" => \"s.c\", order_only: [\"u.c\", \"d\"]) { |t, a| Fuzz.build(t, a) }"],
    ["directory \"d\""],
    ["task(default: \"f\")"],
  ]
)
