RakeFuzz::Case.new(
  features: ["corpus"],
  argv: ["-j1"],
  tree: [
    ["file", "s.c", nil, 1],
    ["file", "f0", nil, 10],
    ["file", "f1", nil, 10],
    ["file", "f2", nil, 0],
  ],
  statements: [
    ["3.times { |i| file(\"f\#{i}\" => \"s.c\") { |t, a| Fuzz.build(t, a) } }"],
    ["multitask(all: %w[f0 f1 f2]) { |t, a| Fuzz.act(t, a) }"],
    ["file(\"last\" => \"all\") { |t, a| Fuzz.build(t, a) }"],
    ["task(default: \"last\")"],
  ]
)
