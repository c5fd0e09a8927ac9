RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [],
  statements: [
    ["task(\"one\") { |t| t.freeze; t.instance_variable_set(:@prerequisites, []) }"],
    ["task(\"two\") { |t| t.instance_eval { raise \"in a block\" } }"],
    ["task(\"default\") { begin; Rake::Task[\"one\"].invoke; rescue => error; Fuzz.log(error.class.to_s); end; Rake::Task[\"two\"].invoke }"],
  ]
)
