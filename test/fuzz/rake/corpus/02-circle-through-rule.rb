RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "x.a", nil, 5],
  ],
  statements: [
    ["rule(\".a\" => \".b\") { |t, a| Fuzz.build(t, a) }"],
    ["rule(\".b\" => \".a\") { |t, a| Fuzz.build(t, a) }"],
    ["task(default: \"y.a\")"],
  ]
)
