RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "src/a.c", nil, 100],
    ["file", "src/b.c", nil, 100],
  ],
  statements: [
    ["File.define_singleton_method(:extname) { |_| \".c\" }; File.define_singleton_method(:dirname) { |_| \"d\" }"],
    ["Fuzz.try(\"ext\") { \"src/a.c\".ext(\"o\") }"],
    ["Fuzz.try(\"pathmap\") { \"src/a.c\".pathmap(\"%{^src,out}X.o %n %d %f\") }"],
    ["task(:default)"],
  ]
)
