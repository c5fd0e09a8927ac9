# frozen_string_literal: true

require "open3"
require "rbconfig"
require_relative "../command"
require_relative "../folder"

module PStoreFuzz
  # Runs many cases on some versions and engines on both sides, and compares what they print.
  class Campaign
    ROOT = File.expand_path("../../..", __dir__)
    SIDE = File.join(__dir__, "side.rb")
    VERSIONS = %w[0.1.1 0.2.1 0.3.0].freeze
    ENGINES = %w[c pure].freeze
    BATCH = 500

    # @param versions [Array<String>] of PStore, which bin/setup --pstores has installed in tmp
    # @param engines [Array<String>] of the drop-in
    # @param ruby [String] the Ruby of both sides
    def initialize(seed:, versions: VERSIONS, engines: ENGINES, ruby: RbConfig.ruby)
      @seed = seed
      @versions = versions
      @engines = engines
      @ruby = ruby
      @differences = 0
      @compared = 0
    end

    # @param numbers [Enumerable<Integer>] of the cases, contiguous
    # @return [Boolean] whether there are differences, which are printed
    def run(numbers)
      @versions.each { |version| numbers.each_slice(BATCH) { |some| compare(version, some) } }
      puts "#{@compared} cases, #{@differences} differences"
      @differences.positive?
    end

    private

    def compare(version, numbers)
      stock = lines(version, numbers, nil)
      @engines.each do |engine|
        ours = lines(version, numbers, engine)
        numbers.each do |number|
          @compared += 1
          report(version, engine, number, stock[number], ours[number]) unless same?(stock[number], ours[number])
        end
      end
    end

    def lines(version, numbers, engine)
      Fuzz.folder("pstore-fuzz-") do |folder|
        library = "#{ROOT}/tmp/pstores/gems/pstore-#{version}/lib"
        raise Fuzz::Unfit, "#{library} does not exist: run bin/setup --pstores" unless File.directory?(library)

        options = engine ? ["-I#{ROOT}/lib", "-rfrugal/pstore"] : []
        command = [@ruby, "-I#{library}", *options, SIDE, @seed, numbers.first, numbers.last, folder]
        environment = { "FRUGAL_ENGINE" => engine, "RUBYOPT" => nil }
        text, errors, status = Open3.capture3(environment, *command.map(&:to_s))
        patched = engine.nil? || errors.include?("drop-in: on")
        raise "#{version} #{engine}: #{errors}" unless status.success? && patched

        text.lines.to_h { |line| parse(line) }
      end
    end

    def parse(line)
      number, header, events = line.chomp.split("\t")
      [number.to_i, [header, Marshal.load([events].pack("H*"))]]
    end

    # JRuby's File#chmod does not find a relative path after Dir.chdir, so that stock's atomic replace fails.
    JRUBY_ERROR = /: Errno::ENOENT: .*the\.store\.tmp\./n
    private_constant :JRUBY_ERROR

    # Where stock writes equal data with different bytes, the drop-in may write nothing.
    def same?(stock, ours)
      return true if stock == ours
      return true if @ruby != RbConfig.ruby && stock.last.any?(JRUBY_ERROR)

      stock.first == ours.first && stock.last.size == ours.last.size &&
        stock.last.zip(ours.last).all? { |line, our| line == our || line == our.sub(" unwritten", " ") }
    end

    def report(version, engine, number, stock, ours)
      @differences += 1
      return if @differences > 12

      puts "PStore #{version}, #{engine}, seed #{@seed}, case #{number}: #{stock.first}"
      stock.last.zip(ours.last).each do |line, our|
        puts(line == our ? "   #{line}" : "-  #{line}\n+  #{our}")
        break if line != our
      end
    end
  end
end
