RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [],
  statements: [
    ["\"a.c\".ext(\"o\", \"p\")"],
  ]
)
