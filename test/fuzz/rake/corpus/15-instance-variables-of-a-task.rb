RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "src/a.c", nil, 100],
    ["file", "src/b.c", nil, 100],
  ],
  statements: [
    ["task(:default => [\"src/a.c\"]) { |t| def t.deps = [@prerequisites, @actions.class, @lock.class]" \
     "; Fuzz.log(t.deps.inspect, t.dup.instance_variables.inspect) }"],
  ]
)
