RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "s.c", nil, 1],
    ["file", "f0", nil, 10],
    ["file", "f1", nil, 20],
    ["file", "f2", nil, 0],
  ],
  statements: [
    ["file(\"f0\" => \"s.c\") { |t, a| Fuzz.build(t, a) }"],
    ["file(\"f1\" => \"f0\") { |t, a| Fuzz.build(t, a) }"],
    ["file(\"f2\" => \"s.c\") { |t| Fuzz.write(\"s.c\"); Rake::Task[\"f1\"].invoke; Rake::Task[\"f0\"].execute; Rake::Task[\"f1\"].reenable; Rake::Task[\"f1\"].invoke; Fuzz.build(t) }"],
    ["task(default: [\"f2\", \"f1\", \"f0\"])"],
  ]
)
