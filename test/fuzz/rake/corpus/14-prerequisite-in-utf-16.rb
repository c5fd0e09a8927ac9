RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [],
  statements: [
    ["file(\"f\" => [\"x\".encode(\"UTF-16LE\")])"],
    ["task(default: \"f\")"],
  ]
)
