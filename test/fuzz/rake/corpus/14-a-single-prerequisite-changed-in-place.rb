RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [],
  statements: [
    ["t = file(\"f1\" => \"f0\") { |t| Fuzz.write(t.name) }"],
    ["Fuzz.write(\"f0\"); Fuzz.write(\"f9\")"],
    ["Rake::Task[\"f1\"].prerequisites << \"f9\""],
    ["u = file(\"f2\" => :f1) { |t| Fuzz.log(t.prerequisites.inspect, t.actions.size.to_s, t.source.to_s); Fuzz.write(t.name) }"],
    ["Rake::Task[\"f2\"].enhance([\"f0\"]) { |t| Fuzz.log(\"second\") }"],
    ["Rake::Task[\"f2\"] | [\"f9\", \"f1\"]"],
    ["Rake::Task[\"f1\"].clone.prerequisites << \"f9\""],
    ["w = file(\"f3\" => \"f2\") { |t| Fuzz.write(t.name) }"],
    ["Fuzz.log(w.instance_variable_get(:@prerequisites).inspect, w.instance_variable_get(:@actions).size.to_s)"],
    ["w.instance_variable_set(:@prerequisites, \"f1\")"],
    ["Fuzz.try(\"set\") { w.prerequisites }"],
    ["v = file(\"f4\" => \"f0\") { |t| Fuzz.write(t.name) }"],
    ["v.execute"],
    ["v.clear_actions; Fuzz.log(v.actions.inspect)"],
    ["file(\"f5\" => \"f4\")"],
    ["file(\"f5\" => [\"f4\", \"f1\"]) { |t| Fuzz.write(t.name) }"],
    ["task(\"default\" => [\"f5\", \"f2\"])"],
  ]
)
