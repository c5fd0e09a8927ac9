RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [],
  statements: [
    ["file(\"a\" => []) { |t| Fuzz.act(t); Fiber.new { Rake::Task[\"a\"].invoke }.resume }"],
    ["task(default: \"a\") { |t, a| Fuzz.act(t, a) }"],
  ]
)
