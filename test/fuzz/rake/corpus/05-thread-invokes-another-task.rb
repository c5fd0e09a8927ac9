RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "s.c", nil, 1],
    ["file", "b", nil, 0],
  ],
  statements: [
    ["file(\"b\" => \"s.c\") { |t, a| Fuzz.build(t, a) }"],
    ["file(\"a\" => \"s.c\") { |t| Thread.new { Rake::Task[\"b\"].invoke }.join; Fuzz.look(Rake::Task[\"b\"]); Fuzz.build(t) }"],
    ["task(default: \"a\")"],
  ]
)
