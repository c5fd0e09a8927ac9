RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [],
  statements: [
    ["rule(\".x\" => ->(name) { Fuzz.log(\"proc\", name); name.sub(\".x\", \".y\") }) { |t, a| Fuzz.build(t, a) }"],
    ["file(\"f0\" => \"f0.c\") { |t, a| Fuzz.build(t, a) }"],
    ["task(default: \"f0\") { |t, a| Fuzz.act(t, a) }"],
  ]
)
