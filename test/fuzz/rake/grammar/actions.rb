# frozen_string_literal: true

# What an action may do to the build while it runs.
module RakeFuzz
  Generator.feature(:nested_invoke, 4) do |draft|
    draft.number(1..3).times do
      name = draft.name
      draft.lines[draft.target] << draft.pick([
        "Rake::Task[#{name.inspect}].invoke", "Rake::Task[#{name.inspect}].invoke('1', '2')",
        "Rake::Task[#{name.inspect}].execute", "Rake::Task[#{name.inspect}].tap(&:reenable).invoke",
        "Rake::Task[#{name.inspect}].reenable", "Fuzz.try('nested') { Rake::Task[#{name.inspect}].invoke }",
        "Rake::Task[#{name.inspect}].all_prerequisite_tasks.each(&:reenable); Rake::Task[#{name.inspect}].tap(&:reenable).invoke",
        "Rake.application.invoke_task(#{name.inspect})",
        "Rake::Task[#{name.inspect}].execute(Rake::TaskArguments.new([:a], ['x']))"
      ])
    end
  end

  Generator.feature(:files_change, 5) do |draft|
    draft.number(1..3).times do
      name = draft.chance?(0.9) ? draft.file.inspect : '"made.c"'
      draft.lines[draft.target] << draft.pick([
        "File.delete(#{name}) if File.exist?(#{name})", "Fuzz.write(#{name})", "Fuzz.now(#{name})",
        "rm_f #{name}, verbose: false",
        "Fuzz.touch(#{name}, 1) if File.exist?(#{name})", "Fuzz.write(#{name}, Fuzz::FUTURE)",
        "touch #{name}, verbose: false",
        "rm_rf #{name}, verbose: false; Dir.mkdir(#{name})", "system('touch', '-d', '@1577836900', #{name})",
        "Process.wait(fork { Fuzz.write(#{name}); exit!(0) })",
        "Process.wait(fork { Rake::Task[#{draft.name.inspect}].invoke; exit!(0) })",
        "File.rename(#{name}, 'elsewhere.c') if File.exist?(#{name})",
        "File.symlink(#{draft.file.inspect}, #{name}) unless File.exist?(#{name})",
        "Fuzz.touch(#{name}, #{draft.number(90..160)}) if File.exist?(#{name})",
        "cp 'Rakefile', #{name}, verbose: false"
      ])
    end
  end

  # An answer about a file from before an action is not valid inside it.
  Generator.feature(:change_then_ask, 4) do |draft|
    draft.number(1..2).times do
      name, other = draft.file.inspect, draft.name.inspect
      change = draft.pick(["Fuzz.write(#{name})", "Fuzz.write(#{name}, 1)", "rm_f #{name}, verbose: false",
        "Fuzz.write(#{name}, 115)", "Fuzz.now(#{name})", "mv #{name}, 'moved', verbose: false"])
      question = draft.pick(["Fuzz.look(Rake::Task[#{other}])", "Rake::Task[#{other}].invoke",
        "Rake::Task[#{other}].tap(&:reenable).invoke", "Fuzz.look(t)", "Fuzz.try('ask') { Rake::Task[#{name}] }",
        "Fuzz.log(t.send(:out_of_date?, Fuzz.at(112)))"])
      draft.lines[draft.target] << "#{change}; #{question}"
      draft.lines[draft.target] << "#{question}; #{change}; #{question}" if draft.chance?(0.3)
    end
  end

  Generator.feature(:prerequisites_change, 3) do |draft|
    draft.number(1..2).times do
      name, other = draft.name.inspect, draft.name.inspect
      draft.lines[draft.target] << draft.pick([
        "Rake::Task[#{name}].prerequisites << #{other}", "Rake::Task[#{name}].prerequisites.clear",
        "Rake::Task[#{name}].prerequisites.replace([#{other}])", "Rake::Task[#{name}].prerequisites.reverse!",
        "Rake::Task[#{name}].enhance([#{other}])", "Rake::Task[#{name}].clear_prerequisites",
        "Rake::Task[#{name}] | [#{other}]",
        "Rake::Task[#{name}].clear", "Rake::Task[#{name}].clear_actions",
        "Rake::Task[#{name}].order_only_prerequisites << #{other}",
        "Rake::Task[#{name}].prerequisites.map!(&:upcase)",
        "Rake::Task[#{name}].enhance { |task| Fuzz.log('enhanced', task.name) }",
        "Rake::Task[#{name}].prerequisites.shift", "Rake::Task[#{name}].prerequisites << 'nowhere'",
        "Rake::Task[#{name}].prerequisites << #{other}.to_sym",
        "Rake::Task[#{name}].prerequisites << Rake::Task[#{other}]",
        "Rake::Task[#{name}].prerequisites.unshift(Pathname(#{other}))", "Rake::Task[#{name}].prerequisites << nil",
        "Rake::Task[#{name}].prerequisites << #{other}.b",
        "Rake::Task[#{name}].prerequisites << Class.new(String).new(#{other})",
        "Rake::Task[#{name}].instance_variable_set(:@prerequisites, FileList[#{other}])",
        "Rake::Task[#{name}].prerequisites.freeze", "Rake::Task[#{name}].order_only_prerequisites.clear",
        "Rake::Task[#{name}].instance_variable_set(:@order_only_prerequisites, [#{other}])",
        "t.prerequisites.first&.replace(#{other})"
      ])
    end
  end

  Generator.feature(:definitions_in_actions, 3) do |draft|
    fresh = "fresh#{draft.number(0..9)}"
    where = draft.target
    draft.lines[where] << draft.pick([
      "file(#{fresh.inspect} => [#{draft.file.inspect}]) { |one| Fuzz.build(one) }; Rake::Task[#{fresh.inspect}].invoke",
      "file(#{draft.target.inspect} => [#{draft.file.inspect}]) { |one| Fuzz.act(one) }",
      "task(#{draft.file.inspect}) { |one| Fuzz.act(one) }",
      "task(:#{fresh} => #{draft.name.inspect}); Rake::Task['#{fresh}'].invoke",
      "rule('.o' => '.c') { |one| Fuzz.build(one) }",
      "rule(/^late/ => []) { |one| Fuzz.build(one) }; Rake::Task['late.x'].invoke",
      "Fuzz.write('more.rb'); IO.write('more.rb', 'file(%p => %p) { |one| Fuzz.act(one) }' % [#{draft.target.inspect}, #{draft.file.inspect}]); Rake.load_rakefile('more.rb')", "Rake::Task.define_task(#{draft.file.inspect} + '.t') { |one| Fuzz.act(one) }",
      "namespace(:inner) { task(:#{fresh} => #{draft.name.inspect}) { |one| Fuzz.act(one) } }; Rake::Task['inner:#{fresh}'].invoke"
    ])
  end

  Generator.feature(:raises, 3) do |draft|
    where = draft.target
    draft.lines[where] << draft.pick([
      "raise 'boom'", "raise ArgumentError, 'bad'", "throw :out", "exit 3", "exit", "abort 'stop'", "fail",
      "raise Interrupt",
      "raise IOError, 'x' rescue raise 'outer'", "sh 'exit 4', verbose: false", "undefined_name",
      "raise Class.new(StandardError), 'anonymous'",
      "raise SystemStackError, 'deep'", "raise Errno::ENOENT, 'user'", "raise 'two\\nlines'",
      "catch(:tag) { Rake::Task[#{draft.name.inspect}].invoke }",
      "raise Rake::RuleRecursionOverflowError, 'user'", "raise NoMemoryError, 'user'"
    ])
    draft.lines[draft.target] << "begin; Rake::Task[#{where.inspect}].invoke; rescue Exception => e; Fuzz.log('rescued', e.class, e.message); end" if draft.chance?(0.4)
  end

  Generator.feature(:leaves_early, 2) do |draft|
    name = draft.target
    draft.add("file(#{name.inspect}, &", draft.pick([
      "->(t, args) { Fuzz.act(t, args); return 1 }", "->(t) { Fuzz.act(t) }", "->(*all) { Fuzz.act(all.first); next }",
      "proc { |t| Fuzz.act(t); break }", "proc { |t| Fuzz.act(t); next 5 }", "method(:puts)",
      "proc { |t, **options| Fuzz.act(t); Fuzz.log(options) }",
      ":name", "proc { |t| return }", "->(t, args, **options) { Fuzz.log(options); Fuzz.act(t, args) }"
    ]), ")")
  end

  Generator.feature(:throws_past_rake, 1) do |draft|
    draft.lines[draft.target] << "throw :away, 1"
    draft.lines[draft.target] << "catch(:away) { Rake::Task[#{draft.target.inspect}].invoke }; Fuzz.log('caught')"
  end

  Generator.feature(:chdir, 2) do |draft|
    draft.tree_dir("elsewhere", 50)
    draft.tree_file("elsewhere/#{File.basename(draft.file)}", 5000) if draft.chance?(0.5)
    draft.lines[draft.target] << draft.pick(["Dir.chdir('elsewhere')", "cd 'elsewhere', verbose: false",
      "Dir.chdir('..') if Dir.exist?('../elsewhere')",
      "Dir.chdir('elsewhere') { Rake::Task[#{draft.name.inspect}].invoke }", "Dir.mkdir('made'); Dir.chdir('made')",
      "chdir('elsewhere') { Fuzz.try('x') { Rake::Task[#{draft.name.inspect}].needed? } }"])
  end

  Generator.feature(:user_asks, 4) do |draft|
    draft.number(1..3).times do
      name = draft.name.inspect
      draft.lines[draft.target] << draft.pick([
        "Fuzz.look(Rake::Task[#{name}])", "Fuzz.log(Rake::Task.tasks.map(&:name))",
        "Fuzz.log(Rake::Task.task_defined?(#{name}))",
        "Fuzz.try('missing') { Rake::Task['nonesuch'] }", "Fuzz.try('typo') { Rake::Task[#{name}.succ] }",
        "Fuzz.log(t.sources, t.source)",
        "Fuzz.log(Rake::Task[#{name}].investigation.gsub(/20[2-9]\\d-\\d\\d-.*$/) { |s| s[/^20[24]0/] ? s : 'now' })",
        "Fuzz.log(Rake::Task[#{name}].all_prerequisite_tasks.map(&:name))",
        "Fuzz.log(Rake::Task[#{name}].prerequisite_tasks.map(&:name))",
        "Fuzz.log(Rake.application.tasks.map { |one| [one.name, one.already_invoked] })",
        "Fuzz.log(Rake::Task[#{name}].inspect, Rake::Task[#{name}].to_s)",
        "Fuzz.try('file') { Rake::Task['Rakefile'] }; Fuzz.log(Rake::Task.task_defined?('Rakefile'))",
        "Fuzz.log(Rake.application.lookup(#{name})&.name)",
        "Fuzz.log(Rake.application.current_scope.path, Rake.application.top_level_tasks)",
        "Fuzz.log(t.arg_names, t.arg_description, t.name_with_args, t.comment)",
        "Fuzz.log(Rake::Task[#{name}].locations, Rake::Task[#{name}].scope.path, Rake::Task[#{name}].actions.size)"
      ])
    end
  end

  Generator.feature(:options_in_action, 2) do |draft|
    draft.lines[draft.target] << draft.pick([
      "Rake.application.options.build_all = true", "Rake.application.options.trace = true",
      "Rake.application.options.dryrun = true",
      "Rake.application.options.trace_rules = true", "Rake.verbose(false)", "Rake.nowrite(true)",
      "Rake.application.options.build_all = nil",
      "Rake.application.options.always_multitask = true; Rake.application.options.thread_pool_size = 0"
    ])
  end

  Generator.feature(:garbage, 1) do |draft|
    draft.lines[draft.target] << draft.pick(["GC.compact", "GC.start",
      "GC.stress = true; Array.new(10) { Object.new }; GC.stress = false",
      "GC.compact; Rake::Task[#{draft.name.inspect}].invoke"])
  end

  Generator.feature(:pokes_inside, 2) do |draft|
    name = draft.name.inspect
    draft.lines[draft.target] << draft.pick([
      "Rake::Task[#{name}].instance_variable_set(:@already_invoked, false)",
      "Fuzz.log(Rake::Task[#{name}].instance_variable_get(:@already_invoked))",
      "Fuzz.log(Rake::Task[#{name}].instance_variables.sort)",
      "Rake::Task[#{name}].instance_variable_set(:@prerequisites, [])",
      "Rake::Task[#{name}].instance_variable_get(:@actions).clear",
      "Rake.application.instance_variable_get(:@tasks).delete(#{name})",
      "Rake.application.instance_variable_get(:@rules).clear", "Fuzz.try('dup') { Rake::Task[#{name}].dup.invoke }",
      "Rake::Task.clear",
      "Rake.application.instance_variable_get(:@tasks)[#{name}] = Rake::Task[#{draft.name.inspect}]",
      "Rake::Task[#{name}].name << 'x'",
      "Rake::Task[#{name}].application = Rake::Application.new", "Rake::Task[#{name}].sources = ['s']",
      "Rake::Task[#{name}].freeze",
      "Rake::Task[#{name}].send(:invoke_prerequisites, args, Rake::InvocationChain::EMPTY)",
      "Fuzz.log(Rake::Task[#{name}].send(:out_of_date?, Fuzz.at(100)))",
      "Fuzz.try('early') { Rake::Task[#{name}].send(:out_of_date?, Rake::EARLY) }",
      "Fuzz.try('late') { Rake::Task[#{name}].send(:out_of_date?, Rake::LATE) }",
      "Fuzz.try('number') { Rake::Task[#{name}].send(:out_of_date?, 5) }",
      "Fuzz.try('chain') { Rake::Task[#{name}].send(:invoke_with_call_chain, args, Rake::InvocationChain::EMPTY.append(t)) }", "Fuzz.try('own chain') { Rake::Task[#{name}].send(:invoke_with_call_chain, args, Rake::InvocationChain::EMPTY.append(Rake::Task[#{name}])) }",
      "Fuzz.log(Rake::Task[#{name}].send(:lookup_prerequisite, #{draft.name.inspect}).name)",
      "Rake::Task[#{name}].instance_variable_set(:@already_invoked, true)",
      "Rake::Task[#{name}].instance_variable_set(:@invocation_exception, RuntimeError.new('set'))",
      "Fuzz.log(Rake::Task[#{name}].instance_variable_defined?(:@invocation_exception), Rake::Task[#{name}].frozen?)",
      "Rake::Task[#{name}].set_arg_names([:q]); Fuzz.log(Rake::Task[#{name}].arg_names)",
      "Rake::Task[#{name}].add_description('new. words'); Fuzz.log(Rake::Task[#{name}].full_comment)",
      "Fuzz.try('clone') { one = Rake::Task[#{name}].clone; one.reenable; one.invoke }",
      "Fuzz.log(Rake::Task[#{name}].method(:needed?).owner, Rake::Task[#{name}].respond_to?(:invoke_with_call_chain))",
      "Fuzz.log(Rake::FileTask.instance_methods(false).sort)",
      "Fuzz.log(ObjectSpace.each_object(Rake::Task).count >= 1)"
    ])
  end
end
