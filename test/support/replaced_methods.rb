# frozen_string_literal: true

require_relative "caches"

# All methods that drop-ins replace, each with a receiver and valid arguments, for tests that run a script of calls with
# stock and with frugal.
module ReplacedMethods
  UPSTREAM = %w[rake find pstore fileutils logger active_support active_support/cache/file_store
                active_support/file_update_checker sprockets].freeze
  DROPINS = %w[rake find pstore fileutils dir active_support file_update_checker sprockets].freeze
  # Upstreams that are gems and may be missing.
  OPTIONAL = /\A(?:Sprockets|ActiveSupport)::/

  # Method → [receiver, arguments], as Ruby code.
  CASES = {
    "String#ext" => ['"src/a.c"', '".o"'],
    "String#pathmap" => ['"src/a.c"', '"%{^s(r)c,obj;a,*}X.o"'],
    "Dir.chdir" => ["Dir", '"."'],
    "Dir.fchdir" => ["Dir", 'Dir.new(".").fileno'],
    "Dir#chdir" => ['Dir.new(".")', ""],
    "Dir.glob" => ["Dir", '"**/*.c"'],
    "Dir.[]" => ["Dir", '"src/*.c", "**/{a,b}.c"'],
    "FileUtils.mkdir_p" => ["FileUtils", "%w[x/y z]"],
    "FileUtils.remove_entry" => ["FileUtils", 'FileUtils.mkdir_p("old/one").then { "old" }'],
    "FileUtils.copy_entry" => ["FileUtils", '"src", "copy#{$n = $n.to_i + 1}"'],
    "FileUtils.remove_file" => ["FileUtils", '"missing", true'],
    "FileUtils#mkdir_p" => ["Class.new { include FileUtils; public :mkdir_p }.new", '"p/q"'],
    "FileUtils#remove_entry" =>
      ["Class.new { include FileUtils; public :remove_entry }.new", 'FileUtils.mkdir_p("old/one").then { "old" }'],
    "FileUtils#copy_entry" =>
      ["Class.new { include FileUtils; public :copy_entry }.new", '"src", "copy#{$n = $n.to_i + 1}"'],
    "FileUtils#remove_file" => ["Class.new { include FileUtils; public :remove_file }.new", '"missing", true'],
    "Find.find" => ["Find", '"src"'],
    "Find#find" => ["Class.new { include Find; public :find }.new", '"src"'],
    "PStore#transaction" => ['PStore.new("store")', "true"],
    "Rake::InvocationChain#member?" => ["Rake::InvocationChain::EMPTY.conj(1)", "1"],
    "Rake::InvocationChain#to_s" => ["Rake::InvocationChain::EMPTY.conj(1)", ""],
    "Rake::Backtrace.collapse" => ["Rake::Backtrace", '["a:1:in b"]'],
    "Rake::FileTask#needed?" => ['(file("src/a.c" => "src/b.c"))', ""],
    "Rake::FileTask#timestamp" => ['(file("src/a.c"))', ""],
    "Rake::FileTask#out_of_date?" => ['(file("src/a.c" => "src/b.c"))', "Time.at(0)"],
    "Rake::Task#invoke_with_call_chain" => ['(task("t#{$n = $n.to_i + 1}" => "src/a.c") { "in" =~ /n/ })',
                                            "Rake::TaskArguments.new([], []), Rake::InvocationChain::EMPTY"],
    "Rake::Task.define_task" => ["Rake::Task", '"t#{$n = $n.to_i + 1}" => Rake::FileList["src/*"]'],
    "Rake::TaskManager#define_task" => ["Rake.application", 'Rake::FileTask, "f" => %w[a b]'],
    "Rake::TaskManager#synthesize_file_task" => ["Rake.application", '"src/a.c"'],
    "Rake::TaskManager#attempt_rule" => ["Rake.application", '"src/a.o", /\.o$/, [], [".c"], proc {}, 0'],
    "Rake::TaskManager#find_location" => ["Rake.application", ""],
    "Rake::FileList#resolve" => ['Rake::FileList["src/*.c", "x"]', ""],
    "Rake::FileList#resolve_exclude" => ['Rake::FileList["src/*.c", "x"]', ""],
    "Sprockets::PathUtils#stat" => ["Object.new.extend(Sprockets::PathUtils)", '"src/a.c"'],
    "Sprockets::PathUtils#entries" => ["Object.new.extend(Sprockets::PathUtils)", '"src"'],
    "Sprockets::Cache::FileStore#safe_open" => ['Sprockets::Cache::FileStore.new("sc")', '"src/a.c", &:read'],
    "ActiveSupport::Cache::FileStore#read_serialized_entry" =>
      ['ActiveSupport::Cache::FileStore.new("ac")', '"missing"'],
    "ActiveSupport::FileUpdateChecker#updated?" =>
      ['ActiveSupport::FileUpdateChecker.new(["src/a.c"], "src" => %w[c]) {}', ""]
  }.freeze

  REPLACED = <<~RUBY
    all = ObjectSpace.each_object(Module).flat_map { |one| [[one, "#", one], [one, ".", one.singleton_class]] }
    found = all.reject { |one, *| one.singleton_class? || one.name.nil? }.flat_map do |one, mark, owner|
      (owner.private_instance_methods(false) + owner.instance_methods(false)).grep(/\\Afrugal_stock_/).map do |name|
        name = name.to_s.delete_prefix("frugal_stock_")
        "\#{one}\#{mark}\#{{ "at" => "[]", "or" => "|" }.fetch(name, name)}"
      end
    end
    puts found.uniq.sort
  RUBY

  # Code that the receivers need.
  PREPARE = <<~'RUBY'
    include Rake::DSL
    Rake.application.instance_variable_set(:@original_dir, Dir.pwd)
    $stderr = File.open(File::NULL, "w")
  RUBY

  # @return [Array<String>] names of the replaced methods, as in CASES
  def replaced_methods = printed("frugal", REPLACED).lines(chomp: true)

  private

  def defined_upstream?(name)
    @optional ||= {}
    @optional.fetch(name) do
      constant = name[/\A[\w:]+/]
      code = "p(begin; Object.const_get(#{constant.inspect}); 1; rescue NameError; 0; end)"
      @optional[name] = printed("stock", code) == "1\n"
    end
  end

  # @param side [String] "stock" or "frugal"
  # @param engine [String, nil] nil: the engine of this process
  # @return [String] the output of the script. File name and line numbers of the script are equal on both sides.
  def printed(side, code, engine: nil)
    gems = %w[activesupport sprockets].filter_map { |gem| Caches.all(gem).last }
    folders = gems.flat_map { |one| Caches.options(one) }
    loads = [*UPSTREAM, *(DROPINS.map { |one| "frugal/#{one}" } if side == "frugal")]
    text = loads.map { |one| "begin; require #{one.inspect}; rescue LoadError; end" }.join("; ")
    folder = "#{side}#{engine}"
    %w[a b].each { |name| write("#{folder}/work/src/#{name}.c") }
    write("#{folder}/script.rb", "#{text}\n#{PREPARE}\n#{code}")
    result = run_command(Frugal::TestCase::RUBY, "-I", Frugal::TestCase::LIB, *folders.uniq, "../script.rb",
                         chdir: path("#{folder}/work"),
                         env: { "HOME" => path(folder), **(engine ? { "FRUGAL_ENGINE" => engine } : {}) })
    assert result.success?, result
    result.out
  end
end
