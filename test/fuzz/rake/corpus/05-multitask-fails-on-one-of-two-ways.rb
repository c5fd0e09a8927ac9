# Two threads invoke "lib", whose prerequisite fails. The error has the chain of the thread
# that was first, which may be either one in stock Rake. The main thread invokes "d120"
# first, which takes a short time with the drop-in and a long time without it.
RakeFuzz::Case.new(
  features: ["corpus"],
  argv: [],
  tree: [
    ["file", "s.c", nil, 1],
    *(1..120).map { |i| ["file", "d#{i}", nil, 200 + i] },
  ],
  statements: [
    ["multitask(default: %w[twice f1 f2 f3 f4 f5 lib d120]) { |t, a| Fuzz.act(t, a) }"],
    ["(1..120).each { |i| file(\"d\#{i}\" => [i == 1 ? \"s.c\" : \"d\#{i - 1}\"]) { |t| Fuzz.build(t) } }"],
    ["(1..5).each { |i| file(\"f\#{i}\" => \"s.c\") { |t, a| Fuzz.build(t, a) } }"],
    ["file(\"bad\" => \"s.c\") { |t| Fuzz.act(t); raise \"bad\" }"],
    ["file(\"lib\" => \"bad\")"],
    ["task(\"twice\") { |t| Fuzz.try(\"one\") { Rake::Task[\"lib\"].invoke }; Fuzz.act(t) }"],
  ]
)
