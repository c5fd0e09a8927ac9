RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "s.c", nil, 1],
    ["file", "f0", nil, 0],
    ["file", "f1", nil, 20],
    ["file", "f2", nil, 30],
  ],
  statements: [
    ["file(\"f0\" => \"s.c\") { |t, a| Fuzz.build(t, a) }"],
    ["file(\"f1\" => \"f0\") { |t, a| Fuzz.build(t, a) }"],
    ["file(\"f2\" => [\"f1\", \"s.c\"]) { |t, a| Fuzz.build(t, a) }"],
    ["task(default: [\"f2\", \"f0\"])"],
    ["Rake::Task[\"f0\"].singleton_class.class_eval { def prerequisites = (Fuzz.log(\"prerequisites\", @name); super) }"],
  ]
)
