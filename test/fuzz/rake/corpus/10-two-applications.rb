RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "s.c", nil, 1],
    ["file", "f0", nil, 10],
    ["file", "f1", nil, 20],
  ],
  statements: [
    ["file(\"f0\" => \"s.c\") { |t| Fuzz.write(\"s.c\"); Rake.with_application { |app| file(\"f0\" => \"s.c\") { |one| Fuzz.log(\"inner\"); Fuzz.build(one) }; app[\"f0\"].invoke; Fuzz.log(app.tasks.map(&:name)) }; Fuzz.look(t) }"],
    ["file(\"f1\" => \"f0\") { |t, a| Fuzz.build(t, a) }"],
    ["task(default: \"f1\") { Fuzz.log(Rake::Task.tasks.map(&:name)) }"],
    ["Fuzz.touch(\"s.c\", 15)"],
  ]
)
