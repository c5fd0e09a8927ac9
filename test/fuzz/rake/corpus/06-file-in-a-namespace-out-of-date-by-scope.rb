RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "s.c", nil, 100],
    ["file", "x", nil, 50],
    ["file", "y", nil, 60],
  ],
  statements: [
    ["namespace(:n) do\n  file(\"x\" => \"s.c\") { |t, a| Fuzz.build(t, a) }\n  task(\"s.c\") { |t, a| Fuzz.act(t, a) }\n  file(\"y\" => \"x\") { |t, a| Fuzz.build(t, a) }\nend"],
    ["task(default: [\"y\", \"n:s.c\"])"],
  ]
)
