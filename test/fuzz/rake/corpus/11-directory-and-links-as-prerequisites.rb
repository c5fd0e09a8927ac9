RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "s.c", nil, 5],
    ["dir", "dir", nil, 100],
    ["file", "f0", nil, 50],
    ["file", "f1", nil, 50],
    ["file", "f2", nil, 50],
    ["link", "link", "dir", nil],
    ["link", "dangling", "nowhere", nil],
    ["link", "ok", "s.c", nil],
  ],
  statements: [
    ["file(\"f0\" => \"dir\") { |t, a| Fuzz.build(t, a) }"],
    ["file(\"f1\" => [\"link\", \"ok\"]) { |t, a| Fuzz.build(t, a) }"],
    ["file(\"f2\" => [\"ok\"]) { |t, a| Fuzz.build(t, a) }"],
    ["file(\"dangling\" => \"s.c\") { |t, a| Fuzz.act(t, a) }"],
    ["file(\"f3\" => \"dangling\") { |t, a| Fuzz.build(t, a) }"],
    ["task(default: %w[f0 f1 f2 f3])"],
  ]
)
