RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "src/a.c", nil, 100],
    ["file", "src/b.c", nil, 100],
  ],
  statements: [
    ["\"abc\" =~ /b/; \"src/a.c\".pathmap(\"%{^s(r)c,obj}X.o\"); Fuzz.log($~.inspect)"],
    ["task(:default)"],
  ]
)
