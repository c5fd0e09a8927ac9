# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/caches"
require_relative "../support/refused_calls"

# An old kernel, or a filter of system calls, refuses calls that frugal makes. This test
# refuses each call that a drop-in makes and stock does not, from the beginning of a
# program: the result must be that of stock. It finds these calls by measuring.
#
# REFUSED_ALL=1 refuses each call with each error; otherwise each call with one of the errors, and in `bin/test` without names
# of files every third call.
class RefusedCallsTest < Frugal::TestCase
  ERRORS = %w[ENOSYS EPERM EOPNOTSUPP].freeze
  # Calls for memory, threads, clocks and signals, without which Ruby itself does not run.
  OF_THE_VM = /\A(brk|clock_\w+|clone|exit\w*|futex|get[pt]id|getrandom|madvise|m(un)?map|mprotect|mremap|p?poll|
                 rt_sig\w+|sched_\w+|set_robust_list|rseq|sigaltstack|timer_\w+|eventfd2|epoll_\w+|restart_syscall|
                 tgkill|wait4|gettid|write|prctl|sysinfo|prlimit64)\z/x

  # name => [options of both, options that enable frugal, the program]. Frugal::Store replaces nothing, so it is
  # compared with itself.
  PROGRAMS = {
    "PStore" => [%w[-rpstore], %w[-rfrugal/pstore], <<~'RUBY'],
      store = PStore.new("a.store")
      store.transaction { store[:a] = 1; store[:text] = "x" * 100 }
      store.transaction { store[:text] = "y" * 9_000 }
      store.transaction { store[:text] = "z" * 20 }
      store.transaction { store[:text] = "z" * 20 }
      p store.transaction(true) { [store[:a], store[:text], store.roots] }
      store.ultra_safe = true
      store.transaction { store[:b] = 2 }
      store.transaction { store[:b] = 3 }
      p PStore.new("a.store").transaction(true) { |other| other.roots.map { |root| other[root] } }
    RUBY
    "YAML::Store" => [%w[-ryaml/store], %w[-rfrugal/pstore], <<~'RUBY'],
      store = YAML::Store.new("a.yml")
      store.transaction { store["a"] = %w[x y]; store["b"] = 1 }
      store.transaction { store["b"] = "long" * 2_000 }
      store.transaction { store.delete("b") }
      p store.transaction(true) { store.roots }
    RUBY
    "Frugal::Store" => [%w[-rfrugal/store], [], <<~'RUBY'],
      %i[fast atomic durable].each do |durability|
        store = Frugal::Store.new("a.#{durability}", durability: durability)
        store["a"] = 1
        store["a"] = "x" * 9_000
        store.update("a") { |text| text[0, 10] }
        p store.keys, Frugal::Store.new("a.#{durability}", durability: durability)["a"]
      end
      puts Dir.children(".").size
      File.unlink(*Dir.glob("*.frugal-journal")) # which contain inode numbers and times
    RUBY
    # Enough paths that the drop-in watches directories.
    "Find.find" => [%w[-rfind], %w[-rfrugal/find], <<~'RUBY'],
      Dir.mkdir("tree")
      4.times do |folder|
        Dir.mkdir("tree/#{folder}")
        25.times { |number| File.symlink("none", "tree/#{folder}/#{number}") }
      end
      found = []
      Find.find(*["tree"] * 90) { |path| found << path; Find.prune if path.end_with?("/7") }
      p found.size, found.sort.last(3), found.first(200)
    RUBY
    "Dir.glob" => [%w[-rfileutils], %w[-rfrugal/dir], <<~'RUBY'],
      300.times { |number| FileUtils.mkdir_p("tree/#{number % 50}"); File.write("tree/#{number % 50}/#{number}.c", "") }
      p Dir.glob("tree/**/*.c").sum(&:size), Dir["**/*1.c"], Dir.glob("none/**/*")
    RUBY
    "FileUtils" => [%w[-rfileutils], %w[-rfrugal/fileutils], <<~'RUBY'],
      include FileUtils
      mkdir_p("a/b/c")
      mkdir_p("a/b/c")
      20.times { |number| File.write("a/b/#{number}", "text" * number * 300); File.write("a/b/c/#{number}", "") }
      File.chmod(0o640, "a/b/3")
      File.symlink("b", "a/link")
      cp_r("a", "copy")
      cp("a/b/7", "copied")
      rm_rf("a/b")
      rm_f("none")
      rm_r("copy/link")
    RUBY
    "Rake" => [%w[-rrake], %w[-rfrugal/rake], <<~'RUBY'],
      include Rake::DSL
      20.times { |number| File.write("#{number}.c", ""); File.utime(1, 1, "#{number}.c") }
      outputs = FileList["*.c"].ext(".o")
      rule(".o" => ".c") { |task| puts task.name; File.write(task.name, "") }
      directory "out/deep"
      file "out/deep/all" => [*outputs.to_a.sort, "out/deep"] do |task| File.write(task.name, "all") end
      Rake.application.init("rake", ["out/deep/all"])
      Rake.application.top_level
      Rake.application.tasks.each(&:reenable)
      Rake.application.top_level
      File.utime(Time.now + 5, Time.now + 5, "7.c")
      Rake.application.tasks.each(&:reenable)
      Rake.application.top_level
    RUBY
    "ActiveSupport" => [["-rlogger", "-ractive_support", "-ractive_support/cache"], %w[-rfrugal/active_support],
                        <<~'RUBY'],
                          ActiveSupport::Cache.format_version = 7.0 if ActiveSupport::Cache.respond_to?(:format_version=)
                          store = ActiveSupport::Cache::FileStore.new("cache")
                          p store.fetch("a") { "value" * 50 }.size, store.read("a").size, store.read("none"), store.exist?("a")
                          store.delete("a")
                          p store.read("a")
                          FileUtils.rm_r("cache")
                        RUBY
    # More files than one thread asks, in more folders.
    "FileUpdateChecker" => [%w[-rlogger -ractive_support -ractive_support/file_update_checker],
                            %w[-rfrugal/file_update_checker], <<~'RUBY'],
                              600.times { |number| Dir.mkdir("#{number / 10}") if number % 10 == 0; File.write("#{number / 10}/#{number}.rb", "") }
                              checker = ActiveSupport::FileUpdateChecker.new([], Dir.pwd => ["rb"]) { puts "executed" }
                              2.times { p checker.updated? }
                              sleep 0.1
                              2.times { p checker.updated? }
                              File.write("7/new.rb", "")
                              p checker.execute_if_updated, checker.updated?
                            RUBY
    "Sprockets" => [%w[-rlogger -rsprockets], %w[-rfrugal/sprockets], <<~'RUBY']
      Dir.mkdir("assets")
      File.write("assets/a.js", "//= require b\n1;")
      File.write("assets/b.js", "2;")
      cache = Sprockets::Cache::FileStore.new("cache")
      2.times do
        environment = Sprockets::Environment.new { |one| one.append_path("assets"); one.cache = cache }
        puts environment["a.js"].to_s, environment.find_asset("none").inspect
      end
      FileUtils.rm_r("cache")
    RUBY
  }.freeze
  LONG = ["Find.find"].freeze
  UPSTREAMS = { "ActiveSupport" => "activesupport", "FileUpdateChecker" => "activesupport", "Sprockets" => "sprockets" }.freeze

  PROGRAMS.each_key do |name|
    define_method("test_#{name.gsub(/\W+/, "_").downcase}") { check(name) }
  end

  private

  def check(name)
    skip "strace, which refuses the calls, is missing or not permitted" unless RefusedCalls.available?
    both, switch, work = PROGRAMS.fetch(name)
    both = [*upstream(name), *both]
    stock, ours = [[], switch].map do |more|
      RefusedCalls::Program.new(["-I", "#{ROOT}/lib", *both, *more], work, early: LONG.include?(name))
    end
    expected = stock.run(folder).outcome
    assert_equal 0, expected[1]
    assert_equal expected, ours.run(folder).outcome
    own = ours.calls(folder).grep_v(OF_THE_VM) - (switch.empty? ? without_frugal : stock.calls(folder))
    puts "\n#{name}: #{own.sort.join(" ")}" if ENV["REFUSED_VERBOSE"]
    wrong = refusals(own).reject do |call, error|
      (@got = ours.run(folder, refused: call, error: error)).outcome == expected
    end
    assert_empty wrong.map { |refusal| refusal.join(" ") }, @got&.err
  end

  # The calls that every program with files needs, and a durable store needs; it raises without them.
  def without_frugal
    %w[openat close read write writev pwrite64 pread64 lseek newfstatat fstat stat lstat readlink flock rename unlink
       getdents64 ftruncate ioctl fcntl access fsync] +
      (RUBY_VERSION.to_f >= 4.0 ? %w[statx] : []) # which File#stat calls there
  end

  # @return [Array(String, String)] a call and an error
  def refusals(calls)
    return calls.product(ERRORS) if ENV["REFUSED_ALL"]

    some = calls.sort.each_with_index.map { |call, index| [call, ERRORS[index % 3]] }
    QUICK ? some.each_slice(3).map(&:last) : some
  end

  def folder = Dir.mktmpdir(nil, path("")).tap { |made| File.chmod(0o755, made) }

  def upstream(name)
    gem = UPSTREAMS[name] or return []
    found = Caches.all(gem)
    skip "bin/setup --caches" if found.empty?
    Caches.options(found.last)
  end
end
