RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [],
  statements: [
    ["file(\"a\") { |t| Rake::Task[\"b\"].freeze }"],
    ["task(\"b\") { |t, a| Fuzz.act(t, a) }"],
    ["task(default: %w[a b])"],
  ]
)
