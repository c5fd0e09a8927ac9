RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [],
  statements: [
    ["def deep = \"a.c\".ext(nil)"],
    ["task(:default) { deep }"],
  ]
)
