# frozen_string_literal: true

# Options, imports, threads, several applications.
module RakeFuzz
  Generator.feature(:options, 8) do |draft|
    draft.argv.concat(draft.weighted(["-n"] => 3, ["-t"] => 3, ["-B"] => 4, ["-P"] => 3, ["-T"] => 2, ["-T", "-A"] => 1,
                                     ["-W"] => 2, ["-D"] => 1, ["--rules"] => 3, ["-m", "-j1"] => 3, ["-m", "-j2"] => 2, ["-j2"] => 1, ["-m"] => 1,
                                     ["-q"] => 2, ["-s"] => 1,
                                     ["-T", "^f"] => 1, ["-t", "--rules"] => 1, ["-B", "-n"] => 1, ["-v"] => 1, ["--trace=stdout"] => 1, ["-N"] => 1,
                                     ["-A", "-T", "o"] => 1, ["-W", "default"] => 1, ["--nosuch"] => 1, ["-e", "puts 1"] => 1,
                                     ["--job-stats", "-j1"] => 1, ["--suppress-backtrace", "fuzz"] => 1, ["-X"] => 1, ["-t", "-B"] => 2,
                                     ["-f", "Rakefile"] => 1, ["-C", "sub"] => 1, ["-E", "task(:from_e)"] => 1, ["-R", "lib2"] => 1, ["-W", "-A"] => 1,
                                     ["-P", "-t"] => 1, ["-D", "-A"] => 1, ["-m", "-j1", "-t"] => 1, ["-B", "-m", "-j1"] => 1, ["-G"] => 1,
                                     ["-V"] => 1))
    draft.tree_dir("sub") if draft.argv.include?("sub")
    draft.add_first("desc 'Described. In two sentences'\ntask(:described) { |t| Fuzz.act(t) }") if draft.chance?(0.3)
  end

  Generator.feature(:several_tops,
    4) { |draft| draft.argv.concat(Array.new(draft.number(1..4)) { draft.chance?(0.8) ? draft.name : "default" }) }
  Generator.feature(:variables,
    1) { |draft| draft.argv << "FLAG=#{draft.number(0..3)}"; draft.lines[draft.target] << "Fuzz.log(ENV['FLAG'])" }

  Generator.feature(:phony, 3) do |draft|
    draft.add("require 'rake/phony'")
    if draft.chance?(0.4)
      draft.add("task(:group => [", ["#{draft.file.inspect}, "], ["'phony', "],
        "]) { |t| Fuzz.act(t) }")
    end
    draft.add("file(#{draft.target.inspect} => [#{draft.pick([":phony", "'phony'", "'group', 'phony'"])}])")
    draft.add("Rake::Task[#{draft.task.inspect}].singleton_class.class_eval { def timestamp = Time.at(0) }") if draft.chance?(0.3)
  end

  Generator.feature(:plain_in_between, 2) do |draft|
    name = "between"
    draft.define("task", name, draft.some([draft.file, draft.file], 0..2), body: ["Fuzz.act(t)"])
    draft.define("file", draft.target, [name])
    draft.tasks << name
  end

  Generator.feature(:imports, 3) do |draft|
    draft.tree_file("dep.rb", 5,
      "file(#{draft.target.inspect} => [#{draft.file.inspect}])\ntask(:imported) { |t| Fuzz.act(t) }\n")
    draft.tree_file("dep.mf", 5,
      "#{draft.target}: #{draft.file} #{draft.pick(["\\\n", ""])} #{draft.file}\n# comment\nother.o: s0.c\\ x\n: empty\nno colon\n")
    draft.add("require 'rake/loaders/makefile'")
    draft.add("import ", draft.pick(["'dep.rb'", "'dep.mf'", "'dep.rb', 'dep.mf'", "'dep.mf', 'dep.mf'",
      "'absent.rb'"]))
    if draft.chance?(0.4)
      draft.define("file", draft.pick(%w[dep.mf dep.rb]), [draft.pick(draft.sources)],
        body: ["Fuzz.act(t)", "Fuzz.touch(t.name, 3000)"])
    end
    draft.tree_file("rakelib/more.rake", 5,
      "task(:more => #{draft.file.inspect}) { |t| Fuzz.act(t) }\n").then { draft.tree_dir("rakelib").then { draft.tree[-2..] = draft.tree[-2..].reverse } } if draft.chance?(0.4)
    draft.tops << "other.o" if draft.chance?(0.3)
  end

  Generator.feature(:clean, 2) do |draft|
    draft.add("require 'rake/clean'\nCLEAN.include(", ["'*.o', "], ["#{draft.target.inspect}, "],
      "'nothing')\nCLOBBER.include('*.a')")
    draft.tree_file("core", 1) if draft.chance?(0.3)
    draft.tree_file("x~", 1)
    draft.argv.concat(draft.pick([["clean"], ["clean", "default"], ["clobber", "default"], ["default", "clean"],
      ["clobber"]]))
  end

  Generator.feature(:threads, 2) do |draft|
    draft.number(1..2).times do
      name = draft.name.inspect
      draft.lines[draft.target] << draft.pick(["Thread.new { Rake::Task[#{name}].invoke }.join",
        "Thread.new { Fuzz.try('thread') { Rake::Task[#{name}].invoke } }.join",
        "Fiber.new { Rake::Task[#{name}].invoke }.resume",
        "Fiber.new { Fuzz.try('fiber') { Rake::Task[#{name}].execute } }.resume",
        "Thread.new { Fuzz.look(Rake::Task[#{name}]) }.join",
        "[1, 2].each { |i| Thread.new { Fuzz.log(i, Rake::Task[#{name}].needed?) }.join }",
        "fiber = Fiber.new { Fiber.yield(Rake::Task[#{name}].invoke); Rake::Task[#{draft.name.inspect}].invoke }; 2.times { fiber.resume }", "Enumerator.new { |y| y << Rake::Task[#{name}].tap(&:invoke).name }.next"])
    end
  end

  Generator.feature(:parallel, 2) do |draft|
    draft.define("multitask", "para", Array.new(draft.number(2..5)) { draft.name }.uniq, body: ["Fuzz.act(t)"])
    draft.tops << "para"
    draft.argv << "-j1" if draft.chance?(0.7)
  end

  Generator.feature(:two_applications, 3) do |draft|
    inner = ["file(#{draft.target.inspect} => [#{draft.file.inspect}]) { |t| Fuzz.log('inner'); Fuzz.build(t) }",
      "task(:default => #{draft.target.inspect}) { |t| Fuzz.act(t) }"]
    run = draft.pick(["app.init('inner', ['default']); #{inner.join("; ")}; app.top_level",
      "#{inner.join("; ")}; app[:default].invoke",
      "#{inner.join("; ")}; Rake::Task[#{draft.target.inspect}].invoke; Fuzz.log(app.tasks.map(&:name))",
      "Fuzz.try('empty') { app['default'] }",
      "app.options.build_all = true; #{inner.join("; ")}; app['default'].invoke"])
    text = "Rake.with_application { |app| Fuzz.log(app.name); #{run} }; Fuzz.log(Rake.application.tasks.size)"
    draft.chance?(0.4) ? draft.add(text) : draft.lines[draft.target] << text
  end

  Generator.feature(:own_application, 1) do |draft|
    draft.add("OTHER = Class.new(Rake::Application) { def lookup(name, scope = nil) = (Fuzz.log('other', name.to_s); super) }.new\nRake.with_application(OTHER) { file('o2.o' => [#{draft.file.inspect}]) { |t| Fuzz.build(t) } }")
    draft.lines[draft.target] << draft.pick(["OTHER['o2.o'].invoke",
      "OTHER['o2.o'].tap(&:reenable).invoke; Fuzz.log(OTHER.tasks.map(&:name))",
      "Rake.application = OTHER; Rake::Task['o2.o'].invoke"])
  end

  Generator.feature(:shell, 1) do |draft|
    draft.lines[draft.target] << draft.pick(["sh 'echo shell'", "sh 'false'",
    "sh('exit 2', verbose: false) { |ok, status| Fuzz.log(ok, status.exitstatus) }", "ruby '-e', '1', verbose: false",
    "mkdir_p 'shell/dir'", "touch #{draft.target.inspect}"])
  end
end
