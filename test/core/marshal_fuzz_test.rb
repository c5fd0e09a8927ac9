# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/marshal_graphs"

# The index of a store over bytes that clang's libFuzzer makes up, beginning with
# random stores. MARSHAL_FUZZ_SECONDS=3600 for longer; what it finds stays in the
# folder that it names.
class MarshalFuzzTest < Frugal::TestCase
  CORE = File.join(ROOT, "ext/frugal/core")
  SECONDS = Integer(ENV.fetch("MARSHAL_FUZZ_SECONDS", 8))
  SEEDS = 300

  def test_any_bytes_at_all
    fuzzer = build
    corpus
    run = run_command(fuzzer, "-max_total_time=#{SECONDS}", "-max_len=4096", "-timeout=10", "-rss_limit_mb=1500", "-print_final_stats=1",
                      path("corpus"), chdir: mkdir("found"), timeout: SECONDS + 110)
    assert run.success?, -> { keep(run) }
    executed = run.err[/number_of_executed_units: (\d+)/, 1].to_i
    puts "\nmarshal fuzz: #{executed} inputs in #{SECONDS} s" if ENV["MARSHAL_FUZZ_SECONDS"]
    assert_operator executed, :>, SEEDS
  end

  private

  def build
    program = path("fuzzer")
    skip "clang is not here" unless run_command("sh", "-c", "command -v clang").success?
    built = run_command("clang", "-std=gnu11", "-g", "-O1", "-fsanitize=fuzzer,address,undefined", "-fno-sanitize-recover=all", "-I", CORE,
                        *Dir.glob(File.join(CORE, "marshal_*.c")), File.join(__dir__, "marshal_fuzz.c"), "-o", program)
    skip "this clang has no libFuzzer" if built.err.match?(/cannot find.*fuzzer|unsupported option/)
    assert built.success?, built
    program
  end

  # Stores as Marshal writes them, each with the values of an update.
  def corpus
    SEEDS.times do |seed|
      graphs = MarshalGraphs.new(seed, plain: seed.even?)
      store = Marshal.dump(graphs.store)
      next if store.bytesize > 3000

      values = Marshal.dump(Array.new(seed % 4) { graphs.value(3) } + [graphs.key, graphs.value(3)])
      write("corpus/#{seed}", [store.bytesize].pack("v") + store + [seed % 2].pack("C") + values)
    end
  end

  def keep(run)
    kept = Dir.mktmpdir("marshal_fuzz")
    FileUtils.cp_r(Dir.glob("#{path("found")}/*"), kept)
    "#{kept}\n#{run}"
  end
end
