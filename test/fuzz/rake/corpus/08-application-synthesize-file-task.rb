RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "s.c", nil, 1],
    ["file", "f0", nil, 0],
    ["file", "f1", nil, 20],
  ],
  statements: [
    ["def (Rake.application).synthesize_file_task(name, *rest) = (Fuzz.log(\"synthesize_file_task\", name.to_s); super)"],
    ["file(\"f0\" => \"s.c\") { |t, a| Fuzz.build(t, a) }"],
    ["file(\"f1\" => [\"f0\", \"s.c\"]) { |t, a| Fuzz.build(t, a) }"],
    ["task(default: \"f1\")"],
  ]
)
