# frozen_string_literal: true

require "open3"
require "optparse"
require "rbconfig"
require "tmpdir"

# The differential fuzzer of the PStore drop-in: random programs, each run by stock
# and by the drop-in in processes and folders of their own. What the program got,
# which errors, and what is on the disk after each step has to be the same.
#
#   ruby test/fuzz/pstore_fuzz.rb --cases 20000                 # every version, both engines
#   ruby test/fuzz/pstore_fuzz.rb --versions 0.3.0 --engines c --seed 7 --only 123
#
# Exit status: 0 no difference; 1 differences, shown; 2 it does not run here.
module PStoreFuzz
  # Runs both sides and compares their lines.
  class Campaign
    ROOT = File.expand_path("../..", __dir__)
    SIDE = File.join(__dir__, "pstore/side.rb")
    BATCH = 500

    def initialize(seed:, cases:, versions:, engines:, only: nil)
      @seed = seed
      @cases = only ? [only..only] : (0...cases).each_slice(BATCH).map { |slice| slice.first..slice.last }
      @versions = versions
      @engines = engines
      @unlike = 0
      @compared = 0
    end

    def call
      @versions.each { |version| @cases.each { |range| compare(version, range) } }
      puts "seed #{@seed}: #{@compared} cases, #{@unlike} differences"
      @unlike.zero? ? 0 : 1
    end

    private

    def compare(version, range)
      stock = run(version, range, nil)
      @engines.each do |engine|
        ours = run(version, range, engine)
        range.each do |number|
          @compared += 1
          differ(version, engine, number, stock[number], ours[number]) unless alike?(stock[number], ours[number])
        end
      end
    end

    def run(version, range, engine)
      Dir.mktmpdir("pstore-fuzz") do |folder|
        library = "#{ROOT}/tmp/pstores/gems/pstore-#{version}/lib"
        abort "there is no #{library}: bin/setup --pstores" unless File.directory?(library)
        options = engine ? ["-I#{ROOT}/lib", "-rfrugal/pstore"] : []
        text, errors, status = Open3.capture3({ "FRUGAL_ENGINE" => engine, "RUBYOPT" => nil }, RbConfig.ruby, "-I#{library}", *options,
                                              SIDE, @seed.to_s, range.first.to_s, range.last.to_s, folder)
        abort "#{version} #{engine}: #{errors}" unless status.success? && (engine.nil? || errors.include?("drop-in: on"))
        text.lines.to_h { |line| parse(line) }
      end
    end

    def parse(line)
      number, header, events = line.chomp.split("\t")
      [number.to_i, [header, Marshal.load([events].pack("H*"))]]
    end

    # Where stock writes the same data in other bytes, writing nothing will do.
    def alike?(stock, ours)
      return true if stock == ours

      stock.first == ours.first && stock.last.size == ours.last.size &&
        stock.last.zip(ours.last).all? { |line, our| line == our || line == our.sub(" unwritten", " ") }
    end

    def differ(version, engine, number, stock, ours)
      @unlike += 1
      return if @unlike > 12

      puts "PStore #{version}, #{engine}, seed #{@seed}, case #{number}: #{stock.first}"
      stock.last.zip(ours.last).each do |line, our|
        puts(line == our ? "   #{line}" : "-  #{line}\n+  #{our}")
        break if line != our
      end
    end
  end
end

if $PROGRAM_NAME == __FILE__
  settings = { seed: Random.new_seed % 1_000_000, cases: 1000, versions: %w[0.1.1 0.2.1 0.3.0], engines: %w[c pure] }
  OptionParser.new do |options|
    options.on("--seed N", Integer) { |seed| settings[:seed] = seed }
    options.on("--cases N", Integer, "of each version") { |cases| settings[:cases] = cases }
    options.on("--only N", Integer, "one case") { |number| settings[:only] = number }
    options.on("--versions A,B", Array) { |versions| settings[:versions] = versions }
    options.on("--engines A,B", Array) { |engines| settings[:engines] = engines }
  end.parse!
  exit PStoreFuzz::Campaign.new(**settings).call
end
