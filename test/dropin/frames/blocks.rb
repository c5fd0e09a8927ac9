# frozen_string_literal: true

# What a block, an action or a hook of the program sees of the frames around it, and what test frameworks print of them.
module Blocks
  # Code in a block of the program.
  SIGHTS = {
    caller: ->(*) { caller(0) },
    locations: ->(*) { Observer.places(caller_locations(0)) },
    method: ->(*) { __method__.inspect },
    uplevel: lambda do |*|
      Observer.warnings { 5.times { |level| warn "level #{level}", uplevel: level } }
    end
  }.freeze
  ERRORS = {
    raise: ->(*) { raise ArgumentError, "in a block" },
    no_method: ->(*) { nil.unknown_method },
    spelling: ->(*) { [].frist },
    errno: ->(*) { raise Errno::ENOENT, "in a block" },
    exit: ->(*) { exit 3 }
  }.freeze

  # Calls with a block, by group; `call` receives the block.
  YIELDING = {
    "find" => {
      "Find.find" => ->(block) { Find.find("src", &block) }, "two roots" => ->(block) { Find.find("src", "lib", &block) },
      "mixed in" => ->(block) { Object.new.extend(Find).__send__(:find, "src", &block) },
      "an enumerator" => ->(block) { Find.find("src").each(&block) }, "Pathname" => ->(block) { Pathname("src").find(&block) },
      "a file" => ->(block) { Find.find("src/a.c", &block) }, "to_path" => ->(block) { Find.find(Arguments::ODD["to_path only"].call, &block) },
      "an encoding" => ->(block) { Find.find((+"src").force_encoding("EUC-JP"), &block) },
      "errors" => ->(block) { Find.find("src", ignore_error: false, &block) }
    },
    "dir" => {
      "a walk" => ->(block) { Dir.glob("**/*", &block) }, "Ruby's" => ->(block) { Dir.glob("src/*", &block) },
      "several" => ->(block) { Dir.glob(["**/*.c", "lib/*"], &block) }
    },
    "pstore" => {
      "write" => ->(block) { PStore.new("a").transaction(&block) }, "again" => ->(block) { store.transaction(&block) },
      "read" => ->(block) { store.transaction(true, &block) }, "thread safe" => ->(block) { PStore.new("b", true).transaction(&block) },
      "yaml" => ->(block) { YAML::Store.new("y").transaction(&block) },
      "a subclass" => ->(block) { Class.new(PStore) { def load_data(*) = super }.new("c").transaction(&block) }
    },
    "sprockets" => {}, "rake" => {
      "ext" => ->(block) { "a.c".pathmap("%{a,*}p", &block) }
    }
  }.freeze

  # Calls without a block whose errors or callbacks show frames.
  PLAIN = {
    "pstore" => {
      "nested" => -> { store.then { |one| one.transaction { one.transaction {} } } },
      "nested, thread safe" => -> { PStore.new("n", true).then { |one| one.transaction { one.transaction {} } } },
      "read only" => -> { store.transaction(true) { |one| one[:a] = 1 } }, "no block" => -> { store.transaction },
      "a directory" => -> { Dir.mkdir("d") && PStore.new("d").transaction {} },
      "corrupt" => -> { File.write("bad", "no store") && PStore.new("bad").transaction {} },
      "not a store" => -> { File.binwrite("bad", Marshal.dump([])) && PStore.new("bad").transaction {} },
      "a Proc" => -> { store.transaction { |one| one[:a] = -> {} } },
      "abort" => -> { store.transaction(&:abort).inspect },
      "an undumpable object" => lambda do
        Object.const_set(:Undumpable, Class.new { def marshal_dump = raise(IndexError, "dump") })
        store.transaction { |one| one[:a] = Undumpable.new }
      end
    },
    "fileutils" => {
      "mkdir_p of a file" => -> { FileUtils.mkdir_p("src/a.c/b") }, "two" => -> { FileUtils.mkdir_p(%w[x src/a.c/b]) },
      "verbose" => -> { Observer.warnings { FileUtils.mkdir_p("x/y", verbose: true) } },
      "rm_r missing" => -> { FileUtils.rm_r("no") }, "remove_file missing" => -> { FileUtils.remove_file("no") },
      "remove_file of a directory" => -> { FileUtils.remove_file("src") }, "cp_r missing" => -> { FileUtils.cp_r("no", "x") },
      "cp_r into itself" => -> { FileUtils.cp_r("src", "src/x") },
      "copy over a directory" => -> { FileUtils.mkdir_p("t/a.c") && FileUtils.copy_entry("src", "t") },
      "a deep copy over a directory" => -> { FileUtils.mkdir_p("t/src/a.c") && FileUtils.copy_entry(".", "t") }
    },
    "rake" => {
      "a missing source" => -> { Rake::FileTask.define_task("o" => "no") && Rake::Task["o"].invoke },
      "an action" => -> { Rake::Task.define_task("t") { raise IndexError, "action" } && Rake::Task["t"].invoke },
      "resolve" => -> { Rake::FileList["**/\0"].to_a }, "define" => -> { Rake::Task.define_task(nil => 1) },
      "needed?" => -> { Rake::FileTask.define_task("a\0b").needed? }
    }
  }.freeze

  class << self
    def observe(group)
      YIELDING.fetch(group, {}).each { |title, call| yielding("#{group} #{title}", call) }
      PLAIN.fetch(group, {}).each do |title, call|
        Observer.isolated("#{group} #{title}") { Observer.see("#{group}, #{title}", Observer.error { instance_exec(&call) }) }
      end
    end

    private

    # A store that has had a transaction.
    def store = PStore.new("s").tap { |one| one.transaction { one[:a] = 0 } }

    def yielding(title, call)
      Observer.isolated(title) do
        SIGHTS.each do |name, sight|
          seen = []
          instance_exec(->(*given) { seen.concat(Array(instance_exec(*given, &sight))) }, &call)
          Observer.see("#{title}, #{name}", seen)
        end
        ERRORS.each { |name, error| failing("#{title}, #{name}", call, error) }
      end
    end

    def failing(title, call, error)
      Observer.see(title, Observer.error { instance_exec(error, &call) })
      lines = begin
        instance_exec(error, &call)
      rescue Exception => e # rubocop:disable Lint/RescueException
        e.backtrace
      end
      Observer.see("#{title}, filtered", filtered(lines))
    end

    # The default patterns of RSpec, and the filters of the installed frameworks.
    def filtered(lines)
      rspec = lines.grep_v(%r{/lib\d*/ruby/|org/jruby/|bin/|/gems/})
      require "minitest"
      require "test/unit/util/backtracefilter"
      [*rspec, "minitest", *Minitest::BacktraceFilter.new.filter(lines),
       "test-unit", *Object.new.extend(Test::Unit::Util::BacktraceFilter).filter_backtrace(lines)]
    rescue LoadError
      [*rspec, "minitest", *Minitest::BacktraceFilter.new.filter(lines)]
    end
  end
end
