RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "s.c", nil, 1],
    ["file", "f0", nil, 10],
    ["file", "f1", nil, 20],
  ],
  statements: [
    ["File.singleton_class.prepend(Module.new { def mtime(path) = (Fuzz.log(\"mtime\", path) if path == \"s.c\" || path == \"f0\"; super) })"],
    ["file(\"f0\" => \"s.c\") { |t, a| Fuzz.build(t, a) }"],
    ["file(\"f1\" => [\"f0\", \"s.c\"]) { |t, a| Fuzz.build(t, a) }"],
    ["task(default: \"f1\")"],
  ]
)
