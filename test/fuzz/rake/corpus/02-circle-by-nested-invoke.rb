RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "s.c", nil, 1],
  ],
  statements: [
    ["file(\"f0\" => \"s.c\") { |t| Fuzz.act(t); Rake::Task[\"default\"].invoke }"],
    ["task(default: \"f0\") { |t, a| Fuzz.act(t, a) }"],
  ]
)
