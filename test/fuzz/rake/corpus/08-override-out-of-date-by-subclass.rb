RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "s.c", nil, 1],
    ["file", "f0", nil, 10],
    ["file", "f1", nil, 20],
  ],
  statements: [
    ["class Own < Rake::FileTask; def out_of_date?(stamp) = (Fuzz.log(\"out_of_date?\", @name); super); end"],
    ["Own.define_task(\"f0\" => \"s.c\") { |t, a| Fuzz.build(t, a) }"],
    ["file(\"f1\" => \"f0\") { |t, a| Fuzz.build(t, a) }"],
    ["task(default: \"f1\")"],
  ]
)
