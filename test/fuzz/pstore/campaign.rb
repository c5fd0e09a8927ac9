# frozen_string_literal: true

require "open3"
require "rbconfig"
require "tmpdir"
require_relative "../command"

module PStoreFuzz
  # Many cases on some versions and engines: runs both sides and compares their lines.
  class Campaign
    ROOT = File.expand_path("../../..", __dir__)
    SIDE = File.join(__dir__, "side.rb")
    VERSIONS = %w[0.1.1 0.2.1 0.3.0].freeze
    ENGINES = %w[c pure].freeze
    BATCH = 500

    # @param versions [Array<String>] of PStore, which bin/setup --pstores has put into tmp
    # @param engines [Array<String>] of ours
    def initialize(seed:, versions: VERSIONS, engines: ENGINES)
      @seed = seed
      @versions = versions
      @engines = engines
      @unlike = 0
      @compared = 0
    end

    # @param numbers [Enumerable<Integer>] of the cases, one after the other
    # @return [Boolean] whether anything differs, which is printed
    def run(numbers)
      @versions.each { |version| numbers.each_slice(BATCH) { |some| compare(version, some) } }
      puts "#{@compared} cases, #{@unlike} differences"
      @unlike.positive?
    end

    private

    def compare(version, numbers)
      stock = lines(version, numbers, nil)
      @engines.each do |engine|
        ours = lines(version, numbers, engine)
        numbers.each do |number|
          @compared += 1
          differ(version, engine, number, stock[number], ours[number]) unless alike?(stock[number], ours[number])
        end
      end
    end

    def lines(version, numbers, engine)
      Dir.mktmpdir("pstore-fuzz") do |folder|
        library = "#{ROOT}/tmp/pstores/gems/pstore-#{version}/lib"
        raise Fuzz::Unfit, "there is no #{library}: bin/setup --pstores" unless File.directory?(library)
        options = engine ? ["-I#{ROOT}/lib", "-rfrugal/pstore"] : []
        text, errors, status = Open3.capture3({ "FRUGAL_ENGINE" => engine, "RUBYOPT" => nil }, RbConfig.ruby, "-I#{library}", *options,
                                              SIDE, @seed.to_s, numbers.first.to_s, numbers.last.to_s, folder)
        raise "#{version} #{engine}: #{errors}" unless status.success? && (engine.nil? || errors.include?("drop-in: on"))
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
