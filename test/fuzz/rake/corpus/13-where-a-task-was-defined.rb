RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [],
  statements: [
    ["Rake::TaskManager.record_task_metadata = true"],
    ["desc(\"one\")\ntask(\"one\" => [])"],
    ["Rake::FileTask.define_task(\"f1\" => \"one\")"],
    ["namespace(\"n\") { file(\"f2\" => [\"f1\"]) { |t| Fuzz.write(t.name) } }"],
    ["task(\"default\" => [\"f1\"])"],
  ]
)
