RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "s.c", nil, 1],
  ],
  statements: [
    ["file(\"a\" => []) { |t| one = Rake::Task[\"s.c\"].freeze; Fuzz.log(one.prerequisites, one.actions.size, one.locations, one.comment, one.arg_names, one.order_only_prerequisites, one.sources) }"],
    ["task(default: \"a\")"],
  ]
)
