RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "s.c", nil, 1],
  ],
  statements: [
    ["Rake::TaskManager.prepend(Module.new { def intern(klass, name) = (Fuzz.log(\"intern\", klass.to_s); super) })"],
    ["file(\"f0\" => \"s.c\") { |t, a| Fuzz.build(t, a) }"],
    ["task(default: \"f0\")"],
  ]
)
