RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "s.c", nil, 1],
    ["file", "f0", nil, 0],
    ["file", "f1", nil, 20],
    ["file", "f2", nil, 30],
  ],
  statements: [
    ["file(\"f0\" => \"s.c\") { |t| Fuzz.build(t); Rake::Task[\"f1\"].extend(Module.new { def needed? = (Fuzz.log(\"needed?\"); super) }) }"],
    ["file(\"f1\" => \"f0\") { |t, a| Fuzz.build(t, a) }"],
    ["file(\"f2\" => \"f1\") { |t, a| Fuzz.build(t, a) }"],
    ["task(default: \"f2\")"],
  ]
)
