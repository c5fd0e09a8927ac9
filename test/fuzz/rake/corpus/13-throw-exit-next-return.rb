RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "s.c", nil, 1],
  ],
  statements: [
    ["file(\"f0\" => \"s.c\", &->(t, a) { Fuzz.act(t, a); return 1 })"],
    ["file(\"f1\" => \"f0\", &proc { |t| Fuzz.act(t); next 5 })"],
    ["file(\"f2\" => \"f1\") { |t| catch(:out) { Rake::Task[\"f3\"].invoke }; Fuzz.log(\"caught\"); Rake::Task[\"f3\"].invoke; Fuzz.build(t) }"],
    ["file(\"f3\" => \"s.c\") { |t| Fuzz.act(t); throw :out }"],
    ["file(\"f4\" => \"f2\") { exit 4 }"],
    ["task(default: \"f4\")"],
  ]
)
