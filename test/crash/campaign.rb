# frozen_string_literal: true

# Runs all safety tests in full: crash states, faults, kill storms, full disks, counting, readers, corruption.
#
#   ruby test/crash/campaign.rb                              # the drop-in in each mode, stock as the control
#   ruby test/crash/campaign.rb --only faults --subject frugal-0.3.0+ultra --examples 20
#   ruby test/crash/campaign.rb --only storms --kills 2000 --large-kills 300 --seed 7
#
# Exit status: 0 if no subject violates its guarantees (stock has none), 1 if one does, 2 for wrong arguments.
require "optparse"
require_relative "campaigns"

class Campaign
  PARTS = %w[states faults storms disk counting readers corruption].freeze
  MODES = ["", "+ultra", "+yaml", "+yaml+ultra"].freeze
  SUBJECTS = %w[stock frugal].product(Safety::Subject::VERSIONS, MODES)
                             .map { |family, version, flags| "#{family}-#{version}#{flags}" }.freeze
  LARGE = 8_000_000 # bytes
  SMALL = 600

  def initialize(options)
    @options = options
    @violations = 0
  end

  # @return [Integer] the exit status
  def call
    puts "seed #{@options[:seed]}"
    @options[:subjects].each do |name|
      subject = Safety::Subject.new(name)
      next puts("#{name}: skipped: #{subject.missing}") if subject.missing

      @guarantees = subject.family == "stock" ? nil : Safety::Guarantees.new(subject)
      Safety::WorkerProcess.open(subject) { |worker| @options[:only].each { |part| send(part, worker) } }
    end
    puts @violations.zero? ? "no violations" : "#{@violations} results with violations"
    @violations.zero? ? 0 : 1
  end

  private

  def show(result)
    violations = @guarantees&.violations(result) || {}
    puts result
    @violations += 1 if violations.any?
    puts "  VIOLATED: #{violations}" if violations.any?
    examples = result.examples
    # The first word of an example is its kind.
    examples = examples.select { |example| violations.key?(example[/\A\w+/].to_sym) } if @guarantees
    examples.first(@options[:examples]).each { |example| puts "  #{example}" }
  end

  def states(worker)
    Safety::Workload::ALL.each_key do |workload|
      show(Safety::StatesCampaign.new(worker, workload, window: @options[:window], journal: @options[:journal]).call)
    end
  end

  def faults(worker)
    Safety::Workload::ALL.each_key.to_a.product([false, true]).each do |workload, warm|
      show(Safety::FaultsCampaign.new(worker, workload, warm: warm).call)
    end
  end

  def storms(worker)
    { SMALL => @options[:kills], LARGE => worker.subject.yaml? ? 0 : @options[:large_kills] }.each do |size, kills|
      show(Safety::StormsCampaign.new(worker, size: size, kills: kills, seed: @options[:seed]).call) if kills.positive?
    end
  end

  def disk(worker)
    reason = Safety::FullDiskCampaign.missing
    return puts("#{worker.subject}: full disks skipped: #{reason}") if reason

    ["first write", "grow", "shrink", "change, same size", "delete"].each do |workload|
      show(Safety::FullDiskCampaign.new(worker, workload).call)
    end
  end

  # Alone, and beside each version of stock that may share the file. With +ultra, which renames,
  # stock before 0.3.0 may not: after its wait for the lock it continues with the old file.
  def counting(worker)
    count(worker => 8)
    beside(worker) { |other| count(worker => 4, other => 4) }
  end

  def count(workers)
    show(Safety::CountingCampaign.new(workers, times: @options[:times]).call)
  end

  def readers(worker)
    Safety::WorkerProcess.open(worker.subject) { |other| read(worker, other) }
    beside(worker) do |other|
      read(worker, other)
      read(other, worker)
    end
  end

  def read(reader, writer)
    show(Safety::ReadersCampaign.new(reader, writer, times: @options[:times] * 4).call)
  end

  def beside(worker, &block)
    return unless worker.subject.frugal?

    others = worker.subject.ultra? ? [] : %w[stock-0.1.1 stock-0.2.1]
    [*others, "stock-0.3.0", "stock-0.3.0+ultra"].each do |name|
      Safety::WorkerProcess.open(Safety::Subject.new(worker.subject.yaml? ? "#{name}+yaml" : name), &block)
    end
  end

  def corruption(worker)
    options = { wrong: @options[:wrong], seed: @options[:seed] }
    return show(Safety::CorruptionCampaign.new(worker, **options).call) unless worker.subject.frugal?

    stock = Safety::Subject.new(worker.subject.name.sub("frugal", "stock").sub("+pure", ""))
    Safety::WorkerProcess.open(stock) do |control|
      show(Safety::CorruptionCampaign.new(worker, control: control, **options).call)
    end
  end
end

options = { subjects: [], only: Campaign::PARTS, window: 8, journal: false, seed: Random.new_seed % 1_000_000_000,
            kills: 500, large_kills: 100, times: 1000, wrong: 20_000, examples: 3 }
parser = OptionParser.new do |opts|
  opts.banner = "Usage: ruby test/crash/campaign.rb [options]"
  opts.on("--subject NAME", "stock-VERSION or frugal-VERSION, then any of +ultra +yaml +pure;",
          "or store, then any of +atomic +durable +json +messagepack +sqlite +pure; may be repeated (all)") do |name|
    options[:subjects] << name
  end
  opts.on("--only PART,PART", Array, "of #{Campaign::PARTS.join(", ")} (all)") { |parts| options[:only] = parts }
  opts.on("--window N", Integer, "how many unsynced operations may be lost, any subset (8)") do |value|
    options[:window] = value
  end
  opts.on("--journal", "names change in order, as on ext4 (without: in any order)") { options[:journal] = true }
  opts.on("--kills N", Integer, "kills of a writer of a small store (500)") { |value| options[:kills] = value }
  opts.on("--large-kills N", Integer, "kills of a writer of a store of 8 MB (100)") do |value|
    options[:large_kills] = value
  end
  opts.on("--times N", Integer, "increments of each of eight processes (1000)") { |value| options[:times] = value }
  opts.on("--wrong N", Integer, "files with wrong bytes (20000)") { |value| options[:wrong] = value }
  opts.on("--seed S", Integer, "the random seed (a new one, printed)") { |value| options[:seed] = value }
  opts.on("--examples N", Integer, "how many violations to describe (3)") { |value| options[:examples] = value }
end
begin
  parser.parse!
  unknown = options[:only] - Campaign::PARTS
  raise OptionParser::InvalidArgument, unknown.join(",") if unknown.any?

  options[:subjects] = Campaign::SUBJECTS if options[:subjects].empty?
  options[:subjects].each { |name| Safety::Subject.new(name) }
rescue OptionParser::ParseError, ArgumentError => e
  warn e.message, parser.help
  exit 2
end
exit Campaign.new(options).call
