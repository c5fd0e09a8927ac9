RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "s.c", nil, 1],
    ["file", "u.c", nil, 1],
    ["file", "a", nil, 10],
    ["file", "b", nil, 10],
    ["file", "c", nil, 5],
    ["file", "d", nil, 7],
  ],
  statements: [
    ["file(\"a\" => \"s.c\") { |t, a| Fuzz.build(t, a) }"],
    ["file(\"b\" => \"a\") { |t, a| Fuzz.build(t, a) }"],
    ["file(\"c\" => \"d\") { |t| Fuzz.look(Rake::Task[\"a\"]); Fuzz.write(\"s.c\"); Fuzz.look(Rake::Task[\"a\"]); Rake::Task[\"b\"].invoke; Fuzz.build(t) }"],
    ["task(default: [\"a\", \"c\", \"b\"])"],
  ]
)
