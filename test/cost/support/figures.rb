# frozen_string_literal: true

require "etc"
require "fileutils"
require_relative "measuring"

module CostBudget
  # The committed figures of one Ruby: test/cost/figures/ruby-3.1.2.txt, one line a case, and beside it the functions in
  # which each case spends its instructions.
  #
  #   # ruby 3.1.2p20 …, glibc 2.36, cc 12.2.0, valgrind 3.19.0        how they were measured
  #   [rake] rake 13.0.6                                               a group, and what it depends on
  #   2,000 definitions   32,990,915  0.47   77  0.98   28,616  0.7   1,126,288  0.7
  #
  # A figure is followed by its ratio to stock or, for a whole process or the installation of a drop-in, by what frugal adds
  # to stock; by - without stock.
  class Figures
    FOLDER = File.expand_path("../figures", __dir__)
    COLUMNS = %i[instructions calls objects bytes].freeze
    TITLE = "case", "instructions", "to stock", "calls", "to stock", "objects", "to stock", "peak bytes", "to stock"
    FORMAT = "%-48s %13s %12s %8s %8s %9s %8s %10s %10s"
    LINE = /\A(.{48})#{" +(\\S+) +(\\S+)" * COLUMNS.size}\z/
    MUCH = 100 # times stock, which does nearly nothing: then the difference says more
    TOP = 15 # functions of a case that are kept
    NOTE = "Written by `rake cost:accept`; test/cost/cost_test.rb compares with it. Instructions and system calls by callgrind."

    # Where figures are kept and compared: the same program has other figures with another Ruby, libc or compiler.
    def self.here
      compiler = IO.popen(%w[cc -dumpfullversion], err: File::NULL, &:read).chomp
      valgrind = IO.popen(%w[valgrind --version], err: File::NULL, &:read).chomp.tr("-", " ")
      "#{RUBY_DESCRIPTION}, #{Etc.confstr(Etc::CS_GNU_LIBC_VERSION)}, cc #{compiler}, #{valgrind}"
    end

    # @return [String, nil] how the figures were measured
    attr_reader :origin

    # @param file [String] without its extension
    def initialize(file = "#{FOLDER}/ruby-#{RUBY_VERSION}")
      @file = file
      @gems = {}
      @cases = Hash.new { |groups, name| groups[name] = {} }
      read if File.exist?("#{file}.txt")
    end

    # @return [String, nil] why the group cannot be compared with what is committed
    def reason(group)
      return "there are no figures for Ruby #{RUBY_VERSION}: rake cost:accept writes #{@file}.txt" unless @origin
      return "the figures are of #{@origin}, this is #{Figures.here}: rake cost:accept writes others" if @origin != Figures.here

      wanted = group.gems
      return if @gems[group.name] == wanted

      "the figures of #{group.name} are of #{@gems[group.name]&.join(", ") || "nothing"}, not #{wanted.join(", ")}: rake cost:accept"
    end

    # @return [Hash{String => Costs}]
    def of(group) = @cases.fetch(group.name)

    # Keeps a line unless one of its figures has changed by more than one percent, so that no noise is committed.
    #
    # @param stock [Hash{String => Costs}] empty if there is none
    # @return [Array<String>] the lines that are new
    def accept(group, measured, stock)
      @cases.clear unless @origin == Figures.here
      @origin = Figures.here
      known = @gems[group.name] == group.gems ? @cases[group.name] : {}
      @gems[group.name] = group.gems
      lines = measured.to_h { |name, costs| [name, line(name, costs, stock[name], group.whole_processes?)] }
      @cases[group.name] = measured.to_h do |name, costs|
        [name, known[name] && same?(known[name], costs) ? known[name] : costs.dup.tap { |kept| kept.line = lines[name] }]
      end
      @cases[group.name].filter_map { |name, costs| costs.line unless costs.equal?(known[name]) }
    end

    def write
      FileUtils.mkdir_p(File.dirname(@file))
      groups = Groups.all.map(&:name) & @cases.keys
      top = ["# #{NOTE}", "# #{Figures.here}", format(FORMAT, *TITLE)]
      File.write("#{@file}.txt", "#{[*top, *groups.flat_map { |name| group_lines(name) }].join("\n")}\n")
      File.write("#{@file}.functions.txt", "#{groups.flat_map { |name| function_lines(name) }.join("\n")}\n")
    end

    private

    def same?(known, costs) = COLUMNS.all? { |column| (known[column] - costs[column]).abs <= known[column].abs / 100 }

    def group_lines(name) = ["", "[#{name}] #{@gems[name].join(", ")}".strip, *@cases[name].each_value.map(&:line)]

    def function_lines(name)
      @cases[name].flat_map do |one, cost|
        ["[#{name}] #{one}", *cost.functions.first(TOP).map { |function, count| format("%13s  %s", commas(count), function) }]
      end
    end

    def line(name, costs, stock, difference)
      format(FORMAT, name, *COLUMNS.flat_map do |column|
        [commas(costs[column]), stock ? to_stock(costs[column], stock[column], difference) : "-"]
      end)
    end

    def to_stock(value, stock, difference)
      return (value < stock ? "-" : "+") + commas((value - stock).abs) if difference || value > stock * MUCH

      stock.zero? ? "-" : format("%.2f", value.fdiv(stock))
    end

    def commas(number) = number.to_s.gsub(/(?<=\d)(?=(?:\d{3})+\z)/, ",")
    def number(text) = text.delete(",").to_i

    def read
      _, @origin, _, *lines = File.readlines("#{@file}.txt", chomp: true)
      @origin.delete_prefix!("# ")
      group = nil
      lines.reject(&:empty?).each do |line|
        next group = section(*line.match(/\A\[(.*?)\] ?(.*)/).captures) if line.start_with?("[")

        costs = costs(line)
        @cases[group][line[0, 48].strip] = costs
      end
      read_functions
    end

    def costs(line)
      figures, to_stock = LINE.match(line).captures.drop(1).each_slice(2).to_a.transpose
      added = number(to_stock.first) if to_stock.first.match?(/\A[+-]\d/)
      Costs.new(**COLUMNS.zip(figures.map { |figure| number(figure) }).to_h, functions: {}, line: line, added: added)
    end

    def section(name, gems)
      @gems[name] = gems.split(", ")
      name
    end

    def read_functions
      costs = nil
      File.foreach("#{@file}.functions.txt", chomp: true) do |line|
        next costs = @cases[$1][$2] if line =~ /\A\[(.*?)\] (.*)/

        count, function = line.strip.split("  ", 2)
        costs.functions[function] = number(count)
      end
    end
  end
end
