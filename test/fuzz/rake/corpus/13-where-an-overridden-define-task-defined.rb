RakeFuzz::Case.new(
  features: ["corpus"],
  argv: ["-W"],
  tree: [],
  statements: [
    ["Rake::TaskManager.prepend(Module.new { def define_task(klass, *args, &block) = super })"],
    ["desc(\"one\")\ntask(\"one\") { |t| Fuzz.act(t) }"],
  ]
)
