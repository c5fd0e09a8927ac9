# frozen_string_literal: true

require "json"
require_relative "rakes"

# Runs many small scripts with stock Rake and with the drop-in and compares their output. Each script runs in a fork of
# one process that has loaded Rake.
module RakePairs
  # A script, and the code that runs before frugal is loaded.
  Script = Struct.new(:name, :code, :before, keyword_init: true)

  # The oldest and the newest Rake.
  RAKES = [Rakes.all.first, Rakes.all.last].uniq.freeze
  SIDES = [nil, "c", "pure"].freeze

  # Reads JSON: an Array of [name, before, code]. Writes JSON: name => output.
  DRIVER = <<~'RUBY'
    require "rake"
    require "json"
    include Rake::DSL
    dropin, scripts, results = ARGV
    outputs = JSON.parse(File.read(scripts)).to_h do |name, before, code|
      reader, writer = IO.pipe
      pid = fork do
        reader.close
        [$stdout, $stderr].each { |stream| stream.reopen(writer); stream.sync = true }
        Dir.mkdir(folder = "#{results}.#{$$}")
        Dir.chdir(folder)
        begin
          eval(before, TOPLEVEL_BINDING, "before.rb", 1)
          require "frugal/rake" if dropin == "true"
          eval(code, TOPLEVEL_BINDING, "script.rb", 1)
        rescue Exception => e
          puts "#{e.class}: #{e.message}", e.backtrace.grep(/\A(?:before|script)\.rb/)
        end
        $stdout.flush
        exit!
      end
      writer.close
      text = reader.read
      Process.wait(pid)
      [name, text.gsub(/0x\h+/, "0x").gsub(/#{results}\.\d+/, "folder")]
    end
    File.write(results, JSON.generate(outputs))
  RUBY

  private

  # @param scripts [Array<Script>]
  def assert_all_as_stock(scripts, rakes: Frugal::TestCase::QUICK ? RAKES.last(1) : RAKES)
    skip "this Ruby cannot fork" unless Process.respond_to?(:fork)
    rakes.each do |rake|
      stock, *others = SIDES.map { |engine| printed(scripts, rake, engine) }
      SIDES.drop(1).zip(others).each do |engine, printed|
        different = scripts.reject { |script| printed.fetch(script.name) == stock.fetch(script.name) }
        assert different.empty?, -> { report(different, stock, printed, "#{engine}, #{File.basename(rake)}") }
      end
    end
  end

  # @return [Hash{String => String}] name of the script → its output
  def printed(scripts, rake, engine)
    rows = scripts.map { |script| [script.name, script.before.to_s, script.code] }
    input = write("scripts.json", JSON.generate(rows))
    driver = write("driver.rb", DRIVER)
    results = path("results#{engine}.json")
    library = Frugal::TestCase::LIB
    result = run_command(Frugal::TestCase::RUBY, "-I", library, "-I", "#{rake}/lib", driver, (!engine.nil?).to_s,
                         input, results, env: { "FRUGAL_ENGINE" => engine.to_s }, chdir: tree)
    assert result.success?, result
    JSON.parse(File.read(results))
  end

  def report(scripts, stock, printed, place)
    cases = scripts.map do |script|
      "#{script.name}\n#{script.before}\n#{script.code}\n" \
        "--- stock\n#{stock[script.name]}--- frugal\n#{printed[script.name]}"
    end
    "#{place}: #{scripts.size} differ\n#{cases.join("\n")}"
  end
end
