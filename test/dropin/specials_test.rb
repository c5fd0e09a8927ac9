# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/caches"
require "json"

# For every method that a drop-in puts in the place of another: $~, $_, $? and $! of the caller are as stock leaves
# them, in plain calls, in blocks, and in calls by a Method or a Proc. A C method has no frame of its own.
class SpecialsTest < Frugal::TestCase
  UPSTREAM = %w[rake find pstore fileutils logger active_support active_support/cache/file_store sprockets].freeze
  DROPINS = %w[rake find pstore fileutils dir active_support sprockets].freeze
  # The gems that are beside, and may be missing.
  OPTIONAL = /\A(?:Sprockets|ActiveSupport)::/.freeze

  # What a method is called with: [receiver, arguments]. A receiver that is a list is called several times.
  CASES = {
    "String#ext" => ['"src/a.c"', '".o"'],
    "String#pathmap" => ['"src/a.c"', '"%{^s(r)c,obj;a,*}X.o"'],
    "Dir.chdir" => ["Dir", '"."'],
    "Dir.fchdir" => ["Dir", 'Dir.new(".").fileno'],
    "Dir#chdir" => ['Dir.new(".")', ""],
    "Dir.glob" => ["Dir", '"**/*.c"'],
    "Dir.[]" => ["Dir", '"src/*.c", "**/{a,b}.c"'],
    "FileUtils.mkdir_p" => ["FileUtils", '%w[x/y z]'],
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
      ['ActiveSupport::Cache::FileStore.new("ac")', '"missing"']
  }.freeze

  # R: the receiver, M: the method, A: the arguments.
  CALLS = {
    "plain" => "R.__send__(:M, A)",
    "with a block" => "R.__send__(:M, A) { |*all| show(:in, $~, $_, $?, $!); 'in' =~ /i/; all.first }",
    "a Method" => "R.method(:M).unbind.bind(r).call(A)",
    "a Proc" => "R.method(:M).to_proc.call(A)",
    "mapped" => "[R].map { |one| one.__send__(:M, A) }",
    "in a block that matched" => "[R].each { |one| 'block' =~ /oc/; one.__send__(:M, A); " \
                                "show(:block, $~, $_, $?, $!) }",
    "with a wrong argument" => "R.__send__(:M, 1, 2, 3, 4, 5, 6, 7, 8) rescue show($!.class, $~, $_, $?, nil)"
  }.freeze
  SYMBOL = "[R].map(&:M)"

  PREPARE = <<~'RUBY'
    include Rake::DSL
    Rake.application.instance_variable_set(:@original_dir, Dir.pwd)
    $stderr = File.open(File::NULL, "w")
    def show(place, match, line, status, error)
      puts "  #{[place, match&.to_a, line, status&.exitstatus, error&.message].inspect}"
    end
  RUBY

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

  def test_every_replaced_method_has_a_case
    replaced = printed("frugal", REPLACED).lines(chomp: true)
    assert_operator replaced.size, :>=, 20
    assert_empty replaced - CASES.keys, "these methods are replaced, and have no case here"
  end

  def test_the_specials_of_the_caller_are_as_with_stock
    stock, frugal = %w[stock frugal].map { |side| printed(side, script) }
    assert_operator stock.lines.size, :>=, CASES.size * 5
    assert_equal stock, frugal
  end

  private

  def script
    CASES.flat_map do |name, (receiver, arguments)|
      next [] if name.match?(OPTIONAL) && !defined_upstream?(name)

      method = name[/[#.](.+)\z/, 1]
      calls = arguments.empty? ? CALLS.merge("by a Symbol" => SYMBOL) : CALLS
      calls = calls.reject { |_, call| arguments.include?("&") && call.include?("{ |*all|") }
      calls.map { |call, code| scene("#{name}, #{call}", receiver, code, method, arguments) }
    end.join("\n")
  end

  # Each in a method of its own, whose specials nobody has set before.
  def scene(title, receiver, code, method, arguments)
    code = code.gsub(/\bR\b/, "r").gsub(":M", ":#{JSON.generate(method)}")
    code = code.gsub("(A)") { "(#{arguments})" }.gsub(", A)") { arguments.empty? ? ")" : ", #{arguments})" }
    <<~RUBY
      define_singleton_method(:scene) do
        puts #{title.inspect}
        r = #{receiver} rescue next
        system("exit 3")
        $_ = "line"
        raise "outer"
      rescue RuntimeError
        "before" =~ /f(o)r/
        begin
          #{code}
        rescue StandardError, NotImplementedError => error
          puts "  \#{error.class}"
        end
        show(:after, $~, $_, $?, $!)
      end
      scene
    RUBY
  end

  def defined_upstream?(name)
    @optional ||= {}
    @optional.fetch(name) do
      constant = name[/\A[\w:]+/]
      asked = "p(begin; Object.const_get(#{constant.inspect}); 1; rescue NameError; 0; end)"
      @optional[name] = printed("stock", asked) == "1\n"
    end
  end

  def printed(side, code)
    gems = %w[activesupport sprockets].filter_map { |gem| Caches.all(gem).last }
    folders = gems.flat_map { |one| Caches.options(one) }
    loads = [*UPSTREAM, *(DROPINS.map { |one| "frugal/#{one}" } if side == "frugal")]
    text = loads.map { |one| "begin; require #{one.inspect}; rescue LoadError; end" }.join("\n")
    write("#{side}/src/a.c") && write("#{side}/src/b.c")
    write("#{side}.rb", "#{text}\n#{PREPARE}\n#{code}")
    result = run_command(RUBY, "-I", LIB, *folders.uniq, "../#{side}.rb", chdir: path(side))
    assert result.success?, result
    result.out
  end
end
