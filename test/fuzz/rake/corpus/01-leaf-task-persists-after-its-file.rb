RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "s.c", nil, 1],
    ["file", "u.c", nil, 1],
  ],
  statements: [
    ["file(\"a\" => [\"s.c\", \"u.c\"]) { |t| rm_f \"s.c\", verbose: false; Fuzz.log(Rake::Task.tasks.map { |one| [one.name, one.already_invoked] }); Fuzz.look(Rake::Task[\"s.c\"]) }"],
    ["task(default: \"a\") { Rake::Task[\"s.c\"].reenable; Fuzz.try(\"again\") { Rake::Task[\"s.c\"].invoke }; Fuzz.try(\"typo\") { Rake::Task[\"s.d\"] } }"],
  ]
)
