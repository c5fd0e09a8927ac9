RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "a.c", nil, 1],
    ["file", "b.c", nil, 1],
    ["file", "a.o", nil, 5],
  ],
  statements: [
    ["rule(\".o\" => [->(name) { Fuzz.log(\"first\", name); name.ext(\".c\") }, ->(name) { Fuzz.log(\"second\", name); [] }]) { |t, a| Fuzz.build(t, a) }"],
    ["rule(/\\.c$/ => ->(name) { Fuzz.log(\"third\", name); \"none\" }) { |t, a| Fuzz.build(t, a) }"],
    ["file(\"p\" => %w[a.o b.o a.c]) { |t, a| Fuzz.build(t, a) }"],
    ["task(default: %w[p b.o])"],
  ]
)
