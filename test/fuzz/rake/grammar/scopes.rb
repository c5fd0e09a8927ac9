# frozen_string_literal: true

# Namespaces, arguments, and the ways to write a definition.
module RakeFuzz
  Generator.feature(:namespace, 4) do |draft|
    shared = draft.pick(["go", draft.target, draft.pick(draft.sources), "default"])
    inner = draft.pick(["^go", "rake:default2", draft.file, "^^#{shared}", "rake:#{draft.file}", "go", "b:go", "a:b:go",
      "a:go", shared])
    draft.add("namespace(:a) do\n",
      ["  #{draft.text("task", shared, draft.some([draft.file, inner], 0..2), body: ["Fuzz.act(t, args)"])}\n"],
      ["  #{draft.text("task", "go", [draft.file, inner], body: ["Fuzz.act(t, args)"])}\n"],
      ["  #{draft.text("file", "na.o", [draft.file, draft.name], body: ["Fuzz.build(t, args)"])}\n"],
      ["  namespace('b') { #{draft.text("task", "go", [draft.name, draft.pick(["^go", "^^go", "x", shared])], body: ["Fuzz.act(t, args)"])} }\n"],
      ["  #{draft.text("file_create", shared, [draft.file], body: ["Fuzz.build(t, args)"])}\n"], "end")
    draft.add("task(:default2)#{draft.block("t", ["Fuzz.act(t)"]).flatten.join}")
    draft.add("task('a:c' => [", ["'go', "], ["'b:go', "], "]) { |t| Fuzz.act(t) }")
    draft.tops.concat(draft.some(["a:go", "na.o", "a:b:go", "rake:default2", "a:c", "a:#{shared}"], 1..3))
  end

  Generator.feature(:namespace_odd, 1) do |draft|
    draft.add(draft.pick([
      "ns = namespace(nil) { task(:x) { |t| Fuzz.act(t) } }; Fuzz.log(ns.tasks.map(&:name), ns[:x]&.name)",
      "namespace('a:b') { task('c:d') { |t| Fuzz.act(t) } }; task default: 'a:b:c:d'",
      "Fuzz.try('ns') { namespace(5) { } }",
      "namespace(:a) { task('^x'); task('rake:y'); Fuzz.log(Rake::Task.tasks.map(&:name)) }",
      "namespace(:a) { file('a:z') { |t| Fuzz.act(t) } }; task default: 'a:z'", "namespace(:a) { raise 'inside' }",
      "namespace(:a) { task(:x => :x) { |t| Fuzz.act(t) } }; task default: 'a:x'",
      "namespace(:a) { task(:s0 => 's0.c'); file('s0.c' => 's1.c') }; task default: 'a:s0'",
      "namespace(:a) { namespace(:b) { task(:x => '^^^^default3') } }; task(:default3) { |t| Fuzz.act(t) }; task default: 'a:b:x'"
    ]))
  end

  Generator.feature(:arguments, 3) do |draft|
    draft.define("task", "with", draft.some([draft.name, "sub"], 0..2), args: [:a, :b], desc: "With arguments. More.",
                                                                        body: [
      "args.with_defaults(a: 'da', b: 'db')", "Fuzz.act(t, args)",
      "Fuzz.log(args.a, args[:b], args.extras, args.to_a, args.to_h, args.c)",
      "Rake::Task['sub'].tap(&:reenable).invoke(*args.extras)"
    ])
    draft.define("task", "sub", [], args: draft.pick([[:a], [:b, :a], [], [:z]]),
                                    body: ["Fuzz.act(t, args)", "Fuzz.log(args.inspect)"])
    draft.add("file(#{draft.target.inspect}, [:a])") if draft.chance?(0.3)
    draft.argv << draft.pick(["with[1,2]", "with[1]", "with[]", "with[ x , y z,w]", "with[a\\,b,c]", "with", "sub[q]",
      "#{draft.target}[9]", "with[,2]"])
  end

  Generator.feature(:ways_to_define, 3) do |draft|
    name = draft.target
    draft.add(draft.pick([
      "task(:sym => #{draft.name.inspect}.to_sym) { |t| Fuzz.act(t) }; task default: :sym",
      "file(Pathname('p.o') => Pathname(#{draft.file.inspect})) { |t| Fuzz.build(t) }; task default: 'p.o'",
      "file('fl.o' => FileList['*.c', #{draft.file.inspect}]) { |t| Fuzz.build(t) }; task default: 'fl.o'",
      "Rake::FileTask.define_task(#{name.inspect} => #{draft.file.inspect}) { |t| Fuzz.act(t) }",
      "Rake::FileTask.define_task('direct.o', [:a] => [#{draft.file.inspect}]) { |t, a| Fuzz.build(t, a) }; task default: 'direct.o'", "file(#{name.inspect}) | [#{draft.file.inspect}]",
      "file(#{name.inspect} => [Rake::Task[#{draft.file.inspect}]])",
      "file(#{name.inspect} => [[#{draft.file.inspect}]])", "file(#{name.inspect} => nil)",
      "file(#{name.inspect} => [nil])",
      "Fuzz.try('bad') { task(:x, :a => :b, :c => :d) }",
      "file(#{name.inspect} => [#{draft.file.inspect}, #{draft.file.inspect}])",
      "task(#{name.inspect} => #{draft.file.inspect}) { |t| Fuzz.act(t) }",
      "Rake::Task.define_task(:plain) { |t| Fuzz.act(t) }.enhance([#{draft.file.inspect}])\ntask default: :plain",
      "file('') { |t| Fuzz.act(t) }; task default: ''",
      "file(:symfile => #{draft.file.inspect}.to_sym) { |t| Fuzz.build(t) }; task default: :symfile",
      "task('a b c' => #{draft.file.inspect}) { |t| Fuzz.act(t) }; task default: 'a b c'",
      "Rake.application.define_task(Rake::FileTask, 'app.o' => #{draft.file.inspect}) { |t| Fuzz.build(t) }; task default: 'app.o'",
      "Rake.application.intern(Rake::FileTask, 'raw.o').enhance([#{draft.file.inspect}]) { |t| Fuzz.build(t) }; task default: 'raw.o'", "task(1 => #{draft.file.inspect}); Fuzz.log(Rake::Task.tasks.map(&:name))",
      "Rake::FileTask.new('loose.o', Rake.application).enhance([#{draft.file.inspect}]) { |t| Fuzz.build(t) }.invoke"
    ]))
  end

  # As in Rails: records the location of each definition.
  Generator.feature(:metadata, 2) do |draft|
    draft.add_first("Rake::TaskManager.record_task_metadata = true")
    draft.add("desc 'one'; desc 'two. three'; file(#{draft.target.inspect} => [", ["#{draft.file.inspect}, "],
      "])\ndesc 'two. three'; file(#{draft.target.inspect})")
    draft.lines[draft.target] << "Fuzz.log(t.locations, t.full_comment, Rake::Task[#{draft.file.inspect}].locations)"
  end

  # The same file by several names, and one name as several kinds of strings.
  Generator.feature(:spellings, 2) do |draft|
    name = draft.file
    draft.tree_link("here", ".")
    draft.add("file(#{draft.target.inspect} => [", ["'here/#{name}', "], ["Class.new(String).new(#{name.inspect}), "],
      ["#{name.inspect}.b, "], ["#{name.inspect}.dup.force_encoding('ISO-8859-1'), "], ["Pathname(#{name.inspect}), "],
      "])")
    draft.lines[draft.target] << "Fuzz.write('here/#{name}', #{draft.pick([1, 3000])}); Fuzz.look(Rake::Task[#{draft.name.inspect}])"
  end

  # Libraries that define tasks themselves.
  Generator.feature(:libraries, 1) do |draft|
    draft.add(draft.pick(["require 'rake/testtask'\nRake::TestTask.new(:unit) { |one| one.pattern = 'none*.rb' }\ntask default: :unit", "require 'rake/packagetask'\nRake::PackageTask.new('pack', '1') { |one| one.need_tar = false; one.package_files.include('s*') }\ntask default: :package",
      "Module.new { extend Rake::DSL; task(:inside => #{draft.file.inspect}) { |t| Fuzz.act(t) } }\ntask default: :inside", "class Holder; include Rake::DSL; def initialize = file('held' => #{draft.file.inspect}) { |t| Fuzz.build(t) }; end\nHolder.new\ntask default: 'held'"]))
  end

  Generator.feature(:redefined, 3) do |draft|
    draft.number(1..2).times do
      name = draft.name.inspect
      draft.add(draft.pick([
        "Rake::Task[#{name}].enhance([#{draft.file.inspect}]) { |t| Fuzz.act(t) }", "Rake::Task[#{name}].clear",
        "Rake::Task[#{name}].clear_prerequisites", "Rake::Task[#{name}].clear_actions.enhance { |t| Fuzz.act(t) }",
        "file(#{name} => [#{draft.file.inspect}])", "multitask(#{name} => [#{draft.file.inspect}])",
        "file(#{name}) { |t| Fuzz.act(t) }", "Rake::Task[#{name}].reenable",
        "Fuzz.try('load') { Rake::Task[#{name}].invoke }",
        "Rake::Task[#{name}].invoke; Rake::Task[#{name}].reenable"
      ]))
    end
  end

  Generator.feature(:directories, 3) do |draft|
    folder = draft.pick(["made", "made/deep/er", "src", "out/x"])
    draft.define("directory", folder, draft.chance?(0.3) ? [draft.file] : [],
      body: (["Fuzz.act(t)"] if draft.chance?(0.3)))
    draft.define("file", "#{folder}/in.o", [draft.file], order_only: draft.chance?(0.5) ? [folder] : [],
                                                         body: ["Fuzz.build(t)"])
    draft.define("file", "#{folder}/in2.o", [folder, draft.file], body: ["Fuzz.build(t)"])
    draft.tree_dir(folder, draft.number(0..200)) if draft.chance?(0.4)
    draft.tops << folder if draft.chance?(0.5)
    draft.tops.concat(["#{folder}/in2.o", "#{folder}/in.o"])
  end
end
