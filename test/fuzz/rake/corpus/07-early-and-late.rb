RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "s.c", nil, 1],
    ["dir", "d", nil, 500],
    ["file", "f", nil, 50],
    ["file", "h", nil, 20],
  ],
  statements: [
    ["file_create(\"d\") { |t, a| Fuzz.build(t, a) }"],
    ["file(\"f\" => [\"d\", \"s.c\"]) { |t, a| Fuzz.build(t, a) }"],
    ["file(\"g\" => \"s.c\")"],
    ["file(\"h\" => \"g\") { |t, a| Fuzz.build(t, a) }"],
    ["task(default: %w[f h]) { Fuzz.look(Rake::Task[\"d\"]); Fuzz.look(Rake::Task[\"g\"]) }"],
  ]
)
