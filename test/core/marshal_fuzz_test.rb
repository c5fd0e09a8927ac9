# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/marshal_graphs"

# Runs marshal_fuzz.c with clang's libFuzzer, which starts from random stores. It runs
# longer with MARSHAL_FUZZ_SECONDS=3600. Inputs that fail are kept in a folder, which the
# failure message names.
class MarshalFuzzTest < Frugal::TestCase
  EXTENSION = File.join(ROOT, "ext/frugal")
  SECONDS = Integer(ENV.fetch("MARSHAL_FUZZ_SECONDS", 8))
  SEEDS = 300
  MAX_SIZE = 4096 # bytes
  MEMORY = %w[malloc calloc realloc].map { |name| "-D#{name}=test_#{name}" }.freeze # see memory.h

  def test_arbitrary_bytes
    fuzzer = build
    corpus
    run = run_command(fuzzer, "-max_total_time=#{SECONDS}", "-max_len=#{MAX_SIZE}", "-timeout=10", "-rss_limit_mb=1500",
                      "-print_final_stats=1", path("corpus"), chdir: mkdir("found"), timeout: SECONDS + 110)
    assert run.success?, -> { keep(run) }
    executed = run.err[/number_of_executed_units: (\d+)/, 1].to_i
    puts "\nmarshal fuzz: #{executed} inputs in #{SECONDS} s" if ENV["MARSHAL_FUZZ_SECONDS"]
    assert_operator executed, :>, SEEDS
  end

  private

  def build
    program = path("fuzzer")
    skip "clang is not installed" unless run_command("sh", "-c", "command -v clang").success?
    compile("-c", *MEMORY, *Dir.glob(File.join(EXTENSION, "core/marshal/*.c")))
    compile(*Dir.glob(path("*.o")), *%w[memory.c marshal_fuzz.c].map { |name| File.join(__dir__, name) }, "-o", program)
    program
  end

  def compile(*arguments)
    built = run_command("clang", "-std=gnu11", "-g", "-O1", "-fsanitize=fuzzer,address,undefined",
                        "-fno-sanitize-recover=all", "-I", EXTENSION, *arguments, chdir: tree)
    skip "this clang has no libFuzzer" if built.err.match?(/cannot find.*fuzzer|unsupported option/)
    assert built.success?, built
  end

  # Stores that Marshal.dump wrote, each with some updates. In every third, an allocation fails.
  def corpus
    SEEDS.times do |seed|
      graphs = MarshalGraphs.new(seed, plain: seed.even?)
      random = Random.new(seed)
      bytes = [seed % 3 == 0 ? random.rand(1..60) : 0].pack("C") + sized(graphs.store)
      random.rand(1..4).times do
        values = Array.new(random.rand(0..3)) { graphs.value(3) }
        random.rand(0..2).times { values.push(graphs.key, graphs.value(3)) }
        changed = [0, 1, 4, 255].sample(random: random)
        removed = [0, 0, 2, 16].sample(random: random)
        bytes << [changed, removed].pack("CC") << sized(values)
      end
      write("corpus/#{seed}", bytes) if bytes.bytesize < MAX_SIZE
    end
    without_memory
  end

  # Some small updates, once for each allocation that can fail.
  def without_memory
    updates = [[[:a, "x"], 1, 0], [["b", { c: ["x", "y"] }], 0, 0], [[], 0, 2], [["b", :c, "d", ["x"]], 1, 1]]
    bytes = sized({ 1 => 2, 3 => [] })
    updates.each { |values, changed, removed| bytes << [changed, removed].pack("CC") << sized(values) }
    255.times { |allocation| write("corpus/without_#{allocation}", [allocation].pack("C") + bytes) }
  end

  def sized(object) = Marshal.dump(object).then { |dump| [dump.bytesize].pack("v") + dump }

  def keep(run)
    kept = Dir.mktmpdir("marshal_fuzz")
    FileUtils.cp_r(Dir.glob("#{path("found")}/*"), kept)
    "#{kept}\n#{run}"
  end
end
