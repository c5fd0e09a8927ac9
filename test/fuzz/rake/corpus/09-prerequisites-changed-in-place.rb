RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "s.c", nil, 1],
    ["file", "u.c", nil, 50],
    ["file", "f0", nil, 0],
    ["file", "f1", nil, 20],
  ],
  statements: [
    ["file(\"f0\" => \"s.c\") { |t| Fuzz.build(t); Rake::Task[\"f1\"].prerequisites.replace([\"u.c\"]); Rake::Task[\"default\"].prerequisites << \"late\" }"],
    ["file(\"f1\" => \"s.c\") { |t, a| Fuzz.build(t, a) }"],
    ["file(\"late\" => \"s.c\") { |t, a| Fuzz.build(t, a) }"],
    ["task(default: %w[f0 f1])"],
  ]
)
