RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "src/a.c", nil, 100],
    ["file", "src/b.c", nil, 100],
  ],
  statements: [
    ["String.prepend(Module.new { def sub(*) = super + \"!\" })"],
    ["Fuzz.try(\"sub\") { \"src/a.c\".pathmap(\"%{^s(r)c,o}X\") }"],
    ["task(:default)"],
  ]
)
