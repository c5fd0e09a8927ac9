RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "s.c", nil, 1],
    ["file", "a.o", nil, 5],
    ["file", "b", nil, 9],
  ],
  statements: [
    ["rule(\".o\" => ->(name) { Fuzz.log(\"rule\", name); [] }) { |t, a| Fuzz.act(t, a) }"],
    ["file(\"a.o\" => \"s.c\")"],
    ["file(\"b\" => \"a.o\") { |t, a| Fuzz.build(t, a) }"],
    ["task(default: [\"b\", \"t.o\"])"],
    ["task(\"t.o\" => \"s.c\")"],
  ]
)
