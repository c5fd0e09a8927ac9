RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [],
  statements: [
    ["Rake::FileTask.define_task(\"\\xFFbad:x\" => [Object.new, 1, nil]) { |t| 1 }"],
    ["Rake::Task.define_task(\"\\xFFbad\" => [])"],
  ]
)
