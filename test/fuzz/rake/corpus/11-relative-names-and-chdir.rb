RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "s.c", nil, 1],
    ["file", "f0", nil, 0],
    ["file", "f1", nil, 50],
    ["dir", "sub", nil, 1],
    ["file", "sub/s.c", nil, 100],
    ["file", "sub/f1", nil, 20],
  ],
  statements: [
    ["file(\"f0\" => \"s.c\") { |t| Fuzz.build(t); cd \"sub\", verbose: false }"],
    ["file(\"f1\" => \"s.c\") { |t, a| Fuzz.build(t, a) }"],
    ["task(default: %w[f0 f1]) { Fuzz.log(File.basename(Dir.pwd)) }"],
  ]
)
