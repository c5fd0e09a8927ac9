RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "src/a.c", nil, 100],
    ["file", "src/b.c", nil, 100],
  ],
  statements: [
    ["Rake::Task.singleton_class.prepend(Module.new { def format_deps(deps) = super.reverse })"],
    ["task(:default => [\"src/b.c\", \"src/a.c\"]); Fuzz.log(Rake::Task[:default].prerequisites.inspect)"],
  ]
)
