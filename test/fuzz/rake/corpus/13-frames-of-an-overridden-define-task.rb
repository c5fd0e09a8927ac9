RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [],
  statements: [
    ["Rake.application.extend(Module.new { def define_task(klass, *args, &block) = (Fuzz.log(\"define_task\", klass.to_s); super) })"],
    ["task(\"\\xFFbad\" => [])"],
  ]
)
