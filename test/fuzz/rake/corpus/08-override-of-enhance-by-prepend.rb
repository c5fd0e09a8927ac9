RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "s.c", nil, 1],
  ],
  statements: [
    ["Rake::Task.prepend(Module.new { def enhance(deps = nil, &block) = (Fuzz.log(\"enhance\", @name); super) })"],
    ["file(\"f0\" => \"s.c\") { |t, a| Fuzz.build(t, a) }"],
    ["task(default: \"f0\")"],
  ]
)
