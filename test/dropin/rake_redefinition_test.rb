# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/rake_pairs"

# Programs that change Rake's methods, or Ruby's methods that these call, before frugal is loaded or after: each kind
# of change, for each method that frugal replaces or does not call.
class RakeRedefinitionTest < Frugal::TestCase
  include RakePairs

  USE = <<~'RUBY'
    require "fileutils"
    FileUtils.mkdir_p("src/sub")
    %w[src/a.c src/b.c src/sub/c.c src/x.bak core].each { |f| File.write(f, "") }
    def try(what)
      $~ = nil
      p [what, yield]
    rescue Exception => e
      p [what, e.class, e.message[/.*/][0, 80].gsub(/\d{4}-\d\d-.*/, "")]
    end
    try(:ext) { ["a.c".ext("o"), "a/b".ext(".o"), "..".ext("x"), "a.c".ext] }
    try(:pathmap) { ["%{^src,out}X.o", "%n%x %d %f %p", "%{(s)rc,\\1}d"].map { |spec| "src/a.c".pathmap(spec) } }
    try(:pathmap_block) { "src/a.c".pathmap("%{a,*}X") { |s| s.upcase } }
    try(:map) { %w[a.c b.c].map(&:ext) }
    try(:list) { Rake::FileList["src/*.c", "src/**/*.c", "n.c"].exclude("n.c", /b\.c/, "z*").to_a }
    try(:list_ext) { Rake::FileList["src/*.c"].ext("o").to_a }
    try(:list_glob) { Rake::FileList.glob("src/*") }
    try(:excluded) { Rake::FileList["src/*", "core", "x~", "CVS"].to_a }
    try(:define) { file("out.o" => "src/a.c") { |t| File.write(t.name, "") }; Rake::Task["out.o"].prerequisites }
    try(:define_more) { file("out.o" => %w[src/b.c src/a.c]); task(:all => "out.o"); Rake::Task["out.o"].prerequisites }
    try(:symbol) { task(sym: :other); Rake::Task["sym"].prerequisites }
    try(:namespace) { namespace(:n) { task(inner: "src/a.c") { print "inner " } }; Rake::Task["n:inner"].invoke.class }
    try(:invoke) { Rake::Task["all"].invoke; File.exist?("out.o") }
    try(:invoked) { Rake.application.tasks.map(&:name) }
    try(:again) { Rake::Task["out.o"].reenable; Rake::Task["all"].reenable; Rake::Task["all"].invoke.class }
    try(:needed) { Rake::Task["out.o"].needed? }
    try(:timestamp) { Rake::Task["src/a.c"].timestamp.class }
    try(:missing) { file("gone"); [Rake::Task["gone"].timestamp == Rake::LATE, Rake::Task["gone"].needed?] }
    try(:late) { file("src/b.c" => "src/a.c"); File.utime(5, 5, "src/b.c"); Rake::Task["src/b.c"].needed? }
    try(:rule) { rule(".x" => ".c") { |t| print "rule #{t.source} " }; Rake::Task["src/a.x"].invoke.class }
    try(:circle) { task(one: "two"); task(two: "one"); Rake::Task["one"].invoke }
    try(:stock) { String.instance_methods(false).grep(/\A(?:ext|pathmap)/).sort }
  RUBY

  # The methods, by their owner.
  METHODS = {
    "String" => %w[ext pathmap pathmap_replace pathmap_explode sub + chomp =~ << dup split scan to_s respond_to?],
    "File.singleton_class" => %w[extname basename dirname exist? mtime stat directory?],
    "Dir.singleton_class" => %w[glob []],
    "Array" => %w[| sort include? reject! concat],
    "Regexp" => %w[=== =~],
    "Symbol" => %w[to_s],
    "Time" => %w[>],
    "Monitor" => %w[synchronize],
    "Rake.singleton_class" => %w[application from_pathname],
    "Rake::FileList" => %w[resolve resolve_add resolve_exclude add_matching excluded_from_list? << exclude],
    "Rake::FileList.singleton_class" => %w[glob []],
    "Rake::Task" => %w[initialize prerequisites actions enhance needed? timestamp execute invoke invoke_prerequisites
                       lookup_prerequisite invoke_with_call_chain name to_s |],
    "Rake::FileTask" => %w[needed? timestamp out_of_date?],
    "Rake::Task.singleton_class" => %w[define_task format_deps scope_name new],
    "Rake::FileTask.singleton_class" => %w[scope_name],
    "Rake::TaskManager" => %w[define_task intern lookup [] synthesize_file_task resolve_args current_scope
                              attempt_rule],
    "Rake::TaskManager.singleton_class" => %w[record_task_metadata],
    "Rake::Scope" => %w[path_with_task_name],
    "Rake::InvocationChain" => %w[append member?],
    "Rake::TaskArguments" => %w[new_scope]
  }.freeze

  # OWNER and NAME are placeholders. Calls are counted in a global variable, since puts may call a redefined method.
  COUNTED = "$seen ||= Hash.new(0); at_seen = :\"OWNER#NAME\"; "
  CHANGES = {
    "redefined" => "OWNER.send(:define_method, :\"NAME\") { |*a, **k, &b| raise NoMethodError, 'mine' }",
    "prepended" => "#{COUNTED}OWNER.prepend(Module.new { define_method(:\"NAME\") " \
                   "{ |*a, **k, &b| $seen[at_seen] += 1; super(*a, **k, &b) } })",
    "aliased" => "#{COUNTED}OWNER.send(:alias_method, :old_one, :\"NAME\"); OWNER.send(:define_method, :\"NAME\") " \
                 "{ |*a, **k, &b| $seen[at_seen] += 1; send(:old_one, *a, **k, &b) }",
    "removed" => "OWNER.send(:remove_method, :\"NAME\")",
    "undefined" => "OWNER.send(:undef_method, :\"NAME\")",
    "stubbed and restored" => "OWNER.send(:alias_method, :stub, :\"NAME\"); " \
                              "OWNER.send(:define_method, :\"NAME\") { |*a, &b| 1 }; " \
                              "OWNER.send(:undef_method, :\"NAME\"); OWNER.send(:alias_method, :\"NAME\", :stub)"
  }.freeze
  # Not tested: Ruby itself or the driver needs these methods, or Ruby's own method of an ancestor takes their place,
  # and C cannot distinguish the two (when Symbol#to_s is removed, Kernel#to_s is called).
  VITAL = %w[String#to_s String#+ String#<< String#respond_to? Array#| Array#include?].freeze
  NEEDED = { "removed" => VITAL + %w[String#=~ Symbol#to_s String#dup], "undefined" => VITAL,
             "redefined" => %w[String#respond_to?] }.freeze
  # frugal's files need these while they are loaded.
  NEEDED_BEFORE = %w[String#split String#to_s Symbol#to_s Array#include? String#dup String#=~].freeze

  SCRIPTS = METHODS.flat_map do |owner, names|
    names.product(CHANGES.keys).filter_map do |name, change|
      next if NEEDED.fetch(change, []).include?("#{owner}##{name}")

      code = CHANGES[change].gsub("OWNER", owner).gsub("NAME", name)
      RakePairs::Script.new(name: "#{owner}##{name} #{change}", code: code)
    end
  end.freeze

  # Runs one script in eight, 24 or 60, different ones for each change. REDEFINITIONS=all runs all.
  SHARE = { "all" => 1 }.fetch(ENV["REDEFINITIONS"]) { QUICK ? 60 : { true => 8, false => 24 }[ALL] }

  # Prints whether the prepended or aliased method was called.
  REPORT = "\np [:called, $seen.any?] if $seen"

  %w[after before].each do |moment|
    CHANGES.each_key.with_index do |change, first|
      define_method("test_methods_#{change.tr(" ", "_")}_#{moment}_frugal_is_loaded") do
        scripts = SCRIPTS.select { |script| script.name.end_with?(" #{change}") }
                         .drop(first % SHARE).each_slice(SHARE).map(&:first).filter_map do |script|
          next if moment == "before" && NEEDED_BEFORE.include?(script.name[/\S+/])

          if moment == "after" then RakePairs::Script.new(name: script.name, code: "#{script.code}\n#{USE}#{REPORT}")
          else RakePairs::Script.new(name: script.name, before: script.code, code: "#{USE}#{REPORT}")
          end
        end
        assert_all_as_stock(scripts, rakes: RAKES.first(1))
      end
    end
  end
end
