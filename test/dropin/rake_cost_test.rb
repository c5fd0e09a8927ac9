# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/rakes"

# How often a build under the Rake drop-in asks the kernel about a file, with every Rake.
class RakeCostTest < Frugal::TestCase
  COUNT = 60
  # Files out/N that depend on src/N and on one shared header.
  INDEPENDENT = <<~RUBY
    outputs = (0...#{COUNT}).map do |i|
      file("out/\#{i}" => ["src/\#{i}", "src/shared"]) { |task| File.write(task.name, "") }.name
    end
    task(default: outputs)
  RUBY
  # Layers of files. Each file depends on all files of the layer before.
  LAYERS = <<~RUBY
    (1...8).each do |layer|
      5.times { |i| file("src/\#{layer}_\#{i}" => (0...5).map { |k| "src/\#{layer - 1}_\#{k}" }) }
    end
    task(default: (0...5).map { |i| "src/7_\#{i}" })
  RUBY
  RULES = <<~RUBY
    rule(".o" => ".c") { |task| File.write(task.name, "") }
    task(default: (0...5).map { |i| "src/\#{i}.o" } * 2)
  RUBY
  OLD = Time.at(1_000_000)
  NEW = Time.at(2_000_000)

  Rakes.all.each do |rake|
    version = File.basename(rake)

    define_method("test_each_file_is_asked_for_once_#{version}") do
      sources
      COUNT.times { |i| write("out/#{i}", mtime: NEW) }
      assert_equal COUNT * 2 + 1, asked(rake, INDEPENDENT).size
      assert_equal asked(rake, INDEPENDENT).uniq.size, asked(rake, INDEPENDENT).size
    end

    define_method("test_a_graph_is_asked_for_once_a_file_#{version}") do
      8.times { |layer| 5.times { |i| write("src/#{layer}_#{i}", mtime: OLD) } }
      assert_equal 40, asked(rake, LAYERS).size
    end

    define_method("test_a_missing_output_raises_no_exception_#{version}") do
      sources
      mkdir("out")
      result = build(rake, INDEPENDENT, watch: true)
      assert_equal "raised 0\n", result.out, result
      assert_equal COUNT, Dir.children(path("out")).size
    end

    define_method("test_a_source_that_rules_look_for_is_asked_for_once_#{version}") do
      5.times { |i| write("src/#{i}.c", mtime: OLD) && write("src/#{i}.o", mtime: NEW) }
      asked = asked(rake, RULES)
      assert_equal asked.uniq, asked
      assert_equal 10, asked.size
    end
  end

  # A name costs one String. This also shows that the drop-in is on.
  def test_a_name_costs_one_object
    skip "no compiled library here" unless Frugal::Native.engine_name == :c
    script = <<~RUBY
      # frozen_string_literal: true
      require "rake"; require "frugal/rake"
      names = Array.new(1000) { |i| "src/\#{i}.c" }
      [->(name) { name.ext(".o") }, ->(name) { name.pathmap("%{^src,out}X.o") }].each do |map|
        counts = Array.new(2) do
          before = GC.stat(:total_allocated_objects)
          names.each { |name| map.call(name) }
          GC.stat(:total_allocated_objects) - before
        end
        puts counts.last
      end
    RUBY
    assert_equal "1000\n1000\n", run_ruby("-e", script).out
  end

  private

  def sources
    write("src/shared", mtime: OLD)
    COUNT.times { |i| write("src/#{i}", mtime: OLD) }
  end

  def build(rake, rakefile, watch: false, tracer: [])
    write("Rakefile", rakefile)
    watcher = watch ? "n = 0; TracePoint.new(:raise) { n += 1 }.enable; at_exit { puts \"raised \#{n}\" };" : ""
    # Does not count while files are loaded: Ruby 4.0 has ostruct only as a gem, and without it RubyGems raises.
    script = "require 'rake'; require 'frugal/rake'; #{watcher} Rake.application.run"
    run_command(*tracer, RUBY, "-w", "-I", LIB, "-I", "#{rake}/lib", "-e", script, chdir: tree)
  end

  # The names of the files that the build asked about, in order.
  def asked(rake, rakefile)
    skip "strace, which counts the system calls, is not installed" unless Cost::Strace.available?

    log = path("strace.log")
    result = build(rake, rakefile, tracer: ["strace", "-f", "-e", "trace=newfstatat,stat,statx", "-o", log])
    assert result.success?, result
    File.readlines(log).filter_map { |line| line[%r{"((?:src|out)/[^"]+)"}, 1] }
  end
end
