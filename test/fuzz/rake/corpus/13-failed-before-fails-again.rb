RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "s.c", nil, 1],
  ],
  statements: [
    ["file(\"bad\" => \"s.c\") { |t| Fuzz.act(t); raise \"bad\" }"],
    ["file(\"f\" => \"bad\") { |t, a| Fuzz.build(t, a) }"],
    ["task(:t) { Fuzz.try(\"one\") { Rake::Task[\"f\"].invoke }; Fuzz.try(\"two\") { Rake::Task[\"f\"].invoke }; Fuzz.try(\"three\") { Rake::Task[\"bad\"].invoke } }"],
    ["task(default: [\"t\", \"f\"])"],
  ]
)
