RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [],
  statements: [
    ["file(\"a\") { |t| Rake.application.options.build_all = nil; Fuzz.build(t); Fuzz.log(t.needed?); Rake.application.options.build_all = :all; Fuzz.log(t.needed?) }"],
    ["task(default: \"a\")"],
  ]
)
