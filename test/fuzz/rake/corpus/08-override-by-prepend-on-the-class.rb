RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "s.c", nil, 1],
    ["file", "f0", nil, 10],
    ["file", "f1", nil, 20],
  ],
  statements: [
    ["Rake::FileTask.prepend(Module.new { def timestamp = (Fuzz.log(\"timestamp\", @name); super) })"],
    ["file(\"f0\" => \"s.c\") { |t, a| Fuzz.build(t, a) }"],
    ["file(\"f1\" => [\"f0\", \"s.c\"]) { |t, a| Fuzz.build(t, a) }"],
    ["task(default: \"f1\")"],
  ]
)
