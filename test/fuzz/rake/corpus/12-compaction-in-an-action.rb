RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "s.c", nil, 1],
    ["file", "f0", nil, 0],
    ["file", "f1", nil, 0],
    ["file", "f2", nil, 0],
  ],
  statements: [
    ["3.times { |i| file(\"f\#{i}\" => [\"s.c\", *(\"f\#{i - 1}\" if i > 0)]) { |t| Fuzz.build(t); GC.compact; GC.stress = true; Rake::Task[\"f\#{i}\"].name; GC.stress = false } }"],
    ["task(default: \"f2\") { Rake::Task.tasks.each(&:reenable); Rake::Task[\"f2\"].invoke; Fuzz.log(Rake::Task.tasks.map(&:name)) }"],
  ]
)
