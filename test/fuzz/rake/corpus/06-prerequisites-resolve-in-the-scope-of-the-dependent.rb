RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "s.c", nil, 1],
    ["file", "go", nil, 3],
    ["file", "x", nil, 9],
  ],
  statements: [
    ["task(:go) { |t, a| Fuzz.act(t, a) }"],
    ["namespace(:n) do\n  task(:go) { |t, a| Fuzz.act(t, a) }\n  file(\"x\" => \"go\") { |t, a| Fuzz.build(t, a) }\n  task(:up => \"^go\") { |t, a| Fuzz.act(t, a) }\n  task(:top => \"rake:go\") { |t, a| Fuzz.act(t, a) }\n  namespace(:m) { task(:go => [\"go\", \"^go\", \"s.c\"]) { |t, a| Fuzz.act(t, a) } }\nend"],
    ["task(default: %w[n:up n:top n:m:go x])"],
  ]
)
