RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [],
  statements: [
    ["file(\"\" => []) { |t, a| Fuzz.act(t, a) }"],
    ["task(:t) { Fuzz.try(\"empty\") { Rake::Task[\"\"].invoke }; Fuzz.try(\"nul\") { Rake::Task[\"a\\0b\"] } }"],
    ["file(\"n\\0\" => \"\") { |t, a| Fuzz.act(t, a) }"],
    ["task(default: [\"t\", \"n\\0\"])"],
  ]
)
