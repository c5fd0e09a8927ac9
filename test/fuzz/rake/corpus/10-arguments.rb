RakeFuzz::Case.new(
  features: ["corpus"],
  argv: ["with[1, two,3]"],
  tree: [
    ["file", "s.c", nil, 1],
  ],
  statements: [
    ["task(:with, [:a, :b] => [\"sub\", \"s.c\"]) { |t, args| args.with_defaults(b: \"x\"); Fuzz.act(t, args); Rake::Task[\"sub\"].tap(&:reenable).invoke(9) }"],
    ["task(:sub, [:b, :c]) { |t, args| Fuzz.act(t, args) }"],
  ]
)
