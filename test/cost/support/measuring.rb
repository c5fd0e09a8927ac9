# frozen_string_literal: true

require "fileutils"
require "rbconfig"
require "tmpdir"
require_relative "groups"
require_relative "profile"

module CostBudget
  # What one case costs.
  #
  # @!attribute functions
  #   @return [Hash{String => Integer}] instructions of each function
  # @!attribute line
  #   @return [String, nil] its line in the committed figures
  # @!attribute added
  #   @return [Integer, nil] for a whole process, the committed instructions that frugal adds to stock
  Costs = Struct.new(:instructions, :calls, :objects, :bytes, :functions, :line, :added, keyword_init: true)

  # Measures a group, in a new folder: under callgrind, and once more for the bytes.
  #
  # Nothing in the runs depends on time, so most cases repeat within half a percent, busy or not: Ruby's collector
  # is off in the measured part, the environment is fixed, and each process has one processor. The seed of Ruby's hashes
  # and the layout of the address space are random, and make up that difference. glibc chooses variants of memcpy and
  # strlen by the processor and the size of its caches, hence TUNABLES; valgrind hides AVX-512 anyway.
  class Measuring
    ROOT = File.expand_path("../../..", __dir__)
    TUNABLES = "glibc.cpu.hwcaps=-AVX2,-AVX2_Usable,-AVX_Fast_Unaligned_Load,-ERMS,-FSRM:glibc.cpu.x86_data_cache_size=32768:" \
               "glibc.cpu.x86_shared_cache_size=1048576:glibc.cpu.x86_non_temporal_threshold=786432"
    CALLGRIND = %w[valgrind --tool=callgrind --instr-atstart=no --collect-systime=yes --compress-strings=no --compress-pos=no].freeze
    class Failed < StandardError; end

    class << self
      # @return [String, nil] why nothing can be measured here
      def missing
        return "only MRI has these figures" unless RUBY_ENGINE == "ruby" && RUBY_PLATFORM.include?("linux")
        return "valgrind is not installed: bin/setup --valgrind" unless found?("valgrind") && header?

        "frugal is not compiled: bin/setup --compile" unless File.exist?(Dir.glob("#{ROOT}/lib/frugal/native/*/frugal.so").first.to_s)
      end

      # @return [Boolean] whether PATH has a program
      def found?(program) = ENV["PATH"].split(":").any? { |folder| File.executable?("#{folder}/#{program}") }

      # @return [Array<String>] pins a process to one of the processors, another one each time
      def pin
        @turn = @turn.to_i + 1
        return [] unless found?("taskset")

        allowed = File.read("/proc/self/status")[/^Cpus_allowed_list:\s*(.*)/, 1].split(",").flat_map do |range|
          first, last = range.split("-").map(&:to_i)
          [*first..(last || first)]
        end
        ["taskset", "-c", allowed[@turn % allowed.size].to_s]
      end

      private

      def header? = %w[/usr/include /usr/local/include].any? { |folder| File.exist?("#{folder}/valgrind/callgrind.h") }
    end

    # @param group [Group]
    # @param frugal [Boolean] false: stock
    def initialize(group, frugal: true)
      @group = group
      @frugal = frugal
    end

    # @return [Hash{String => Costs}]
    # @raise [Failed]
    def call
      Dir.mktmpdir("frugal-cost-") do |folder|
        @folder = File.realpath(folder)
        compile
        @group.programs.each { |name, arguments| [true, false].each { |callgrind| run(name, arguments, callgrind) } }
        collect
      end
    end

    private

    def compile
      headers = RbConfig::CONFIG.values_at("rubyhdrdir", "rubyarchhdrdir").map { |header| "-I#{header}" }
      { "frugal_cost_meter.so" => ["#{__dir__}/meter.c", *headers], "peak.so" => ["#{__dir__}/peak.c"] }.each do |library, arguments|
        output = IO.popen(["cc", "-O2", "-w", "-fPIC", "-shared", "-o", "#{@folder}/#{library}", *arguments, { err: %i[child out] }], &:read)
        raise Failed, output unless $?.success?
      end
      # RUBYOPT, which names it, is split at spaces.
      File.write("#{@folder}/start.rb", "require #{"#{__dir__}/process.rb".inspect}\n")
    end

    def run(name, arguments, callgrind)
      where = "#{@folder}/#{name.tr("^a-z0-9", "-")}-#{callgrind}"
      prepare(where)
      command = [*switch, *Measuring.pin, *(callgrind ? [*CALLGRIND, "--callgrind-out-file=#{@folder}/profile.%p"] : preload), RbConfig.ruby]
      output = IO.popen([environment(name, where), *command, *arguments, { chdir: where, unsetenv_others: true, err: %i[child out] }], &:read)
      raise Failed, "#{@group.name}: #{name}: #{$?}\n#{output}" unless $?.success?
    end

    # The files of the whole processes.
    def prepare(where)
      FileUtils.mkdir_p("#{where}/three")
      3.times { |number| File.write("#{where}/three/#{number}.rb", "") }
      File.binwrite("#{where}/store", Marshal.dump({ "a" => 1 })) if @group.whole_processes?
      [0, 1, 10].each do |count|
        count.times { |number| %w[o s].each { |kind| File.write("#{where}/#{kind}#{number}", "") } }
        File.write("#{where}/Rakefile.#{count}", <<~RUBY)
          #{count}.times { |number| file("o\#{number}" => "s\#{number}") { |task| File.write(task.name, "") } }
          task("all" => Array.new(#{count}) { |number| "o\#{number}" })
        RUBY
      end
    end

    def environment(name, where)
      gems = ENV.to_h.slice("GEM_HOME", "GEM_PATH")
      gems["GEM_PATH"] = Groups::WEB::ENVIRONMENT["GEM_PATH"] if @group.way == :program
      { "PATH" => ENV["PATH"], "HOME" => where, "LANG" => "C.UTF-8", "GLIBC_TUNABLES" => TUNABLES, "RACK_ENV" => "production",
        "RAILS_ENV" => "production", "RUBYLIB" => ("#{ROOT}/lib" if @group.way != :run), "RUBYOPT" => start(name),
        "COST_METER" => "#{@folder}/frugal_cost_meter.so", "COST_CASE" => name, "COST_PEAKS" => "#{@folder}/peaks",
        "COST_FRUGAL" => ("1" if @frugal), **gems }.compact
    end

    # @return [String, nil] RUBYOPT
    def start(_name) = ("-r#{@folder}/start.rb" if @group.whole_processes?)

    # `frugal run` puts its own option before that of the measurement, which has to come first.
    def switch
      return [] unless @frugal && @group.way == :run

      first = @group.whole_processes? ? ["/bin/sh", "-c", 'RUBYOPT="-r$0 $RUBYOPT" exec "$@"', "#{@folder}/start.rb"] : []
      ["#{ROOT}/bin/frugal", "run", "--", *first]
    end

    def preload = ["env", "LD_PRELOAD=#{@folder}/peak.so"]

    def collect
      bytes = File.readlines("#{@folder}/peaks", chomp: true).to_h { |line| line.match(/(.*): (\d+)/).captures }
      Dir.glob("#{@folder}/profile.*").map { |path| Profile.new(path) }.select { |profile| profile.text&.match?(/: \d+\z/) }.to_h do |profile|
        name, objects = profile.text.match(/(.*): (\d+)/).captures
        [name, Costs.new(instructions: profile.instructions, calls: profile.calls, objects: objects.to_i,
                         bytes: bytes.fetch(name).to_i, functions: profile.functions)]
      end
    end
  end
end
