RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "src/a.c", nil, 100],
  ],
  statements: [
    ["Dir.singleton_class.send(:private, :glob)"],
    ["Fuzz.try(\"private\") { FileList[\"src/*.c\", \"src/**/*.c\"].to_a }"],
    ["Dir.singleton_class.send(:remove_method, :glob)"],
    ["Fuzz.try(\"removed\") { FileList[\"src/*.c\", \"src/**/*.c\"].to_a }"],
    ["task(:default)"],
  ]
)
