RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [],
  statements: [
    ["file(\"a\" => []) { |t| Rake::Task[\"default\"].name << \"x\"; Fuzz.log(t.name.frozen?) }"],
    ["task(\"default\" => \"a\")"],
  ]
)
