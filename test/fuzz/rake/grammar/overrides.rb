# frozen_string_literal: true

# User code that overrides Rake's methods. It must see the same calls as in stock Rake.
module RakeFuzz
  HOOKS = {
    "needed?" => "", "timestamp" => "", "prerequisites" => "", "prerequisite_tasks" => "",
    "all_prerequisite_tasks" => "", "name" => "", "out_of_date?" => "stamp",
    "invoke" => "*args", "execute" => "args = nil", "invoke_prerequisites" => "args, chain", "sources" => "",
    "to_s" => "", "lookup_prerequisite" => "name",
    "collect_prerequisites" => "seen", "invoke_with_call_chain" => "args, chain", "already_invoked" => "",
    "arg_names" => "", "order_only_prerequisites" => "", "scope" => "",
    "enhance" => "deps = nil, &block", "reenable" => "", "add_chain_to" => "error, chain", "format_trace_flags" => "",
    "invoke_prerequisites_concurrently" => "args, chain"
  }.freeze
  COMMON_HOOKS = HOOKS.keys.take(7)

  # A method that logs, and calls super or returns a value of its own.
  def self.hook(draft, name = draft.chance?(0.7) ? draft.pick(COMMON_HOOKS) : draft.pick(HOOKS.keys))
    parameters = HOOKS.fetch(name)
    answer = draft.weighted("super" => 8, :other => 3)
    if answer == :other
      answer = { "needed?" => "[true, false].sample(random: Random.new(@name.size))",
                 "timestamp" => draft.pick(["Rake::EARLY", "Rake::LATE", "Time.at(0)", "Fuzz.at(105)", "super + 100"]),
                 "prerequisites" => "super + [#{draft.file.inspect}]",
                 "name" => draft.pick(["super.dup", "super", "super + ''"]), "out_of_date?" => "true",
                 "prerequisite_tasks" => "super.reverse", "all_prerequisite_tasks" => "super.first(1)",
                 "sources" => "['own']", "execute" => "nil", "invoke_prerequisites" => "nil" }.fetch(name, "super")
    end
    "def #{name}(#{parameters}) = (Fuzz.log(#{"hook #{name}".inspect}, @name); #{answer})"
  end

  Generator.feature(:override_one, 5) do |draft|
    draft.number(1..2).times do
      name = draft.name.inspect
      code = hook(draft)
      draft.add(draft.pick(["Rake::Task[#{name}].singleton_class.class_eval { #{code} }",
        "Rake::Task[#{name}].extend(Module.new { #{code} })",
        "Rake::Task[#{name}].singleton_class.prepend(Module.new { #{code} })",
        "def (Rake::Task[#{name}]).#{code.delete_prefix("def ")}"]))
    end
  end

  Generator.feature(:override_subclass, 4) do |draft|
    base = draft.pick(%w[FileTask FileTask FileTask Task FileCreationTask MultiTask])
    code = draft.chance?(0.85) ? hook(draft) : ""
    draft.add_first("class Own < Rake::#{base}\n", ["  #{code}\n"], "end")
    draft.number(1..2).times do |number|
      name = draft.chance?(0.5) && draft.targets.any? ? draft.target : "own#{number}.o"
      draft.add("Own.define_task(#{name.inspect} => ", *draft.list([draft.file, draft.file]), ") { |t| Fuzz.build(t) }")
      draft.add("file(#{draft.target.inspect} => [#{name.inspect}])")
      draft.tree_file(name, draft.number(90..140)) if name.start_with?("own") && draft.chance?(0.5)
      draft.tops << name
    end
  end

  Generator.feature(:override_class, 3) do |draft|
    klass = draft.pick(%w[FileTask FileTask Task FileCreationTask MultiTask])
    code = hook(draft)
    name = code[/def (\S+?)\(/, 1]
    draft.add_first(draft.pick(["Rake::#{klass}.prepend(Module.new { #{code} })",
      "class Rake::#{klass}\n  prepend(Module.new { #{code} })\nend",
      "Rake::Task.prepend(Module.new { #{code} })",
      "class Rake::#{klass}\n  #{code.gsub(/\bsuper\b/, { "needed?" => "true", "timestamp" => "Time.at(0)", "name" => "@name", "sources" => "[]" }.fetch(name, "nil"))}\nend", "class Rake::#{klass}\n  alias old_one #{name}\n  #{code.gsub(/\bsuper\b/, "old_one#{"(#{HOOKS[name].sub(" = nil", "")})" unless HOOKS[name].empty?}")}\nend"]))
  end

  Generator.feature(:override_in_action, 2) do |draft|
    draft.lines[draft.target] << draft.pick(["Rake::Task[#{draft.name.inspect}].singleton_class.class_eval { #{hook(draft)} }", "Rake::FileTask.prepend(Module.new { #{hook(draft)} })", "Rake::Task[#{draft.file.inspect}].extend(Module.new { #{hook(draft)} })"])
  end

  APPLICATION = {
    "[]" => "name, scopes = nil", "lookup" => "name, scope = nil", "synthesize_file_task" => "name",
    "enhance_with_matching_rule" => "name, level = 0", "intern" => "klass, name",
    "define_task" => "klass, *args, &block", "invoke_task" => "text", "trace" => "*words", "tasks" => "",
    "display_error_message" => "error", "create_rule" => "*args, &block",
    "lookup_in_scope" => "name, scope", "generate_message_for_undefined_task" => "name",
    "attempt_rule" => "*args, &block", "options" => "", "thread_pool" => ""
  }.freeze

  Generator.feature(:override_application, 4) do |draft|
    name = draft.chance?(0.7) ? draft.pick(APPLICATION.keys.take(4)) : draft.pick(APPLICATION.keys)
    first = APPLICATION[name][/\A\w+/]
    shown = first && %w[name klass text].include?(first) ? ", #{first}.to_s" : ""
    code = "def #{name}(#{APPLICATION[name]}) = (Fuzz.log(#{"app #{name}".inspect}#{shown}); super)"
    draft.add_first(draft.pick(["Rake.application.singleton_class.class_eval { #{code} }",
      "Rake.application.extend(Module.new { #{code} })", "Rake::Application.prepend(Module.new { #{code} })",
      "Rake::TaskManager.prepend(Module.new { #{code} })"]))
  end

  Generator.feature(:override_file, 2) do |draft|
    name = draft.pick(%w[exist? mtime stat lstat file? directory?])
    answer = draft.pick(["super", "super",
      "path.to_s == #{draft.file.inspect} ? #{{ "mtime" => "Fuzz.at(1000)", "exist?" => "false" }.fetch(name, "super")} : super"])
    code = "def #{name}(path) = (Fuzz.log('File.#{name}', path.to_s) unless path.to_s.start_with?('/'); #{answer})"
    text = "File.singleton_class.prepend(Module.new { #{code} })"
    draft.chance?(0.7) ? draft.add_first(text) : draft.lines[draft.target] << text
  end

  Generator.feature(:override_kernel, 1) do |draft|
    draft.add_first(draft.pick(["class String\n  prepend(Module.new { def ext(*args) = (Fuzz.log('ext', self); super) })\nend", "Time.singleton_class.prepend(Module.new { def now = super + 1 })",
      "FileTest.singleton_class.prepend(Module.new { def exist?(path) = super })",
      "module Rake; class << self; def from_pathname(path) = path.to_s; end; end",
      "class Object; def timestamp = Time.at(0); end"]))
  end

  # Changes of the methods that Rake's methods call: overridden by a module, aliased or removed.
  CORE = { "File.singleton_class" => %w[extname basename dirname exist? mtime], "Dir.singleton_class" => %w[glob],
           "String" => %w[ext pathmap pathmap_replace sub chomp], "Array" => %w[| sort], "Monitor" => %w[synchronize],
           "Rake::FileTask" => %w[needed? timestamp out_of_date?],
           "Rake::Task.singleton_class" => %w[format_deps scope_name],
           "Rake.singleton_class" => %w[from_pathname], "Rake::TaskArguments" => %w[new_scope] }.freeze
  WAYS = {
    3 => "%<owner>s.prepend(Module.new { define_method(%<name>p) { |*a, **k, &b| $changed = %<name>p; super(*a, **k, &b) } })",
    2 => "%<owner>s.class_eval { alias_method :old_one, %<name>p; define_method(%<name>p) { |*a, **k, &b| old_one(*a, **k, &b) } }",
    1 => "%<owner>s.__send__(:remove_method, %<name>p)"
  }.freeze

  Generator.feature(:override_below, 3) do |draft|
    owner = draft.pick(CORE.keys)
    text = format(draft.weighted(WAYS.invert), owner: owner, name: draft.pick(CORE[owner]).to_sym)
    draft.chance?(0.7) ? draft.add_first(text) : draft.lines[draft.target] << text
    draft.lines[draft.target] << "Fuzz.log('names', 'src/a.c'.pathmap('%{^s(r)c,o}X.o'), 'a.c'.ext('o'), $~.inspect, $changed.inspect)"
  end

  # Reads the instance variables of a task in unusual ways.
  Generator.feature(:look_inside, 2) do |draft|
    name = draft.name.inspect
    look = "[@prerequisites.class, @actions.class, @comments, @lock.class, @locations, @order_only_prerequisites]"
    draft.lines[draft.target] << draft.pick(["t.define_singleton_method(:inside) { #{look} }; Fuzz.log(t.inside.inspect)",
      "Fuzz.log(Module.new { def inside = #{look} }.instance_method(:inside).bind_call(Rake::Task[#{name}]).inspect)",
      "Fuzz.log(Rake::Task[#{name}].dup.instance_variables.inspect)"])
  end
end
