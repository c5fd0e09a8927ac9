RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "src/a.c", nil, 100],
    ["file", "src/b.c", nil, 100],
  ],
  statements: [
    ["Dir.define_singleton_method(:glob) { |*| [\"z\", \"y\"] }"],
    ["Fuzz.log(FileList[\"src/*.c\", \"src/**/*.c\"].to_a.inspect)"],
    ["task(:default)"],
  ]
)
