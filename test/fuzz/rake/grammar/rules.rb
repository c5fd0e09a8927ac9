# frozen_string_literal: true

# Rules: which tasks they make, in which order, and which user code they call.
module RakeFuzz
  RULE_BODY = ["Fuzz.log('rule', t.name, t.source.inspect, t.sources.inspect)", "Fuzz.build(t, args)"].freeze

  Generator.feature(:rule, 5) do |draft|
    draft.number(1..2).times do
      pattern = draft.pick(["'.o'", "'.c'", "'.h'", "/\\.o$/", "/^s\\d/", "/f\\d_(\\d)/", "'.x'", "//", "/^never$/",
        "/^(?=s)/"])
      source = draft.pick(["'.c'", "'.h'", "['.c', '.h']", "'%n.c'", "'src/s1.c'", "'s0.c'", "'%{f,s}n.c'", "'.x'",
        "[]", "'missing'", ":s1",
        "->(name) { Fuzz.log('proc', name); name.sub(/\\..*/, '.c') }",
        "[->(name) { Fuzz.log('list', name); ['s0.c', 's1.c'] }, '.h']",
        "-> { Fuzz.log('no name'); 's0.c' }", "proc { |name| Fuzz.log('nil', name); [] }",
        "->(name) { raise 'rule: ' + name }", "->(name) { Fuzz.log('task'); 'default' }"])
      order_only = draft.chance?(0.1) ? ", order_only: [#{draft.file.inspect}]" : ""
      args = draft.chance?(0.1) ? "[:a] => " : "=> "
      head = args.start_with?("=") ? "rule(#{pattern} => #{source}#{order_only})" : "rule(#{pattern}, #{args}#{source}#{order_only})"
      draft.add(head, *(draft.chance?(0.9) ? draft.block("t, args", RULE_BODY) : []))
    end
    # A target without actions gets those of a rule when it is executed.
    draft.tops << draft.pick(["g1.o", "s0.x", "s1.o", "new.x"]) if draft.chance?(0.6)
  end

  Generator.feature(:rule_chain, 3) do |draft|
    draft.add("rule('.o' => '.ir')", *draft.block("t, args", RULE_BODY))
    draft.add("rule('.ir' => [->(name) { Fuzz.log('chain', name); name.ext('.y') }, '.z'])",
      *draft.block("t, args", RULE_BODY))
    draft.add("rule('.z' => '.y')", *draft.block("t", RULE_BODY.map { |line| line.sub(", args", "") }))
    names = Array.new(draft.number(1..3)) { |number| "r#{number}" }
    names.each do |name|
      draft.source("#{name}.y", draft.number(0..30)) unless draft.chance?(0.1)
      draft.tree_file("#{name}.ir", draft.number(0..60)) if draft.chance?(0.4)
      draft.tree_file("#{name}.z", draft.number(0..60)) if draft.chance?(0.3)
      draft.tree_file("#{name}.o", draft.number(0..60)) if draft.chance?(0.4)
    end
    draft.define("file", "lib.a", names.map { |name| "#{name}.o" }, body: ["Fuzz.build(t)"])
    draft.targets << "lib.a"
    draft.tops << "lib.a"
  end

  Generator.feature(:rule_recursion, 1) do |draft|
    draft.add(draft.pick([
      "rule(/^(.*)q$/ => ->(name) { name + 'q' }) { |t| Fuzz.act(t) }", "rule('.c' => '.c') { |t| Fuzz.act(t) }",
      "rule('.a' => '.b') { |t| Fuzz.act(t) }\nrule('.b' => '.a')",
      "rule(/^deep(\\d+)$/ => ->(name) { 'deep' + (name[/\\d+/].to_i - 1).to_s }) { |t| Fuzz.act(t) }"
    ]))
    draft.tops << draft.pick(["q", "nosuch.c", "x.a", "deep5", "deep20", "s0.c"])
    draft.tree_file("deep0", 1) if draft.chance?(0.7)
  end

  Generator.feature(:rule_on_leaves, 3) do |draft|
    draft.add("rule(/\\.[ch]$/ => [#{draft.pick(["'.in'", "->(name) { Fuzz.log('leaf', name); name + '.in' }", "'generator'"])}])", *draft.block("t, args", RULE_BODY))
    draft.sources.each do |name|
      draft.tree_file(draft.pick([name + ".in", File.basename(name, ".*") + ".in"]), draft.number(0..150)) if draft.chance?(0.4)
    end
    draft.tree_file("generator", draft.number(0..150)) if draft.chance?(0.5)
  end

  Generator.feature(:actionless, 2) do |draft|
    draft.add("rule(#{draft.pick(["'.o'", "/./", "/^f/", "/^act/"])} => #{draft.pick(["[]", "'s0.c'", "->(name) { Fuzz.log('when executed', name); [] }", "'.c'"])})", *draft.block("t, args", RULE_BODY))
    name = "act#{draft.number(0..3)}"
    draft.define(draft.pick(%w[file task]), name, draft.some([draft.file, draft.file], 0..2))
    draft.tops << name
    draft.targets << name
  end

  Generator.feature(:rule_in_namespace, 1) do |draft|
    draft.add("namespace(:ns) { rule('.n' => '.c') { |t| Fuzz.build(t) }; task(:go => [", ["'s0.n', "],
      "]) { |t| Fuzz.act(t) } }")
    draft.tops << "ns:go"
  end
end
