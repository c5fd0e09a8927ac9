# frozen_string_literal: true

# The proof of safety in full: crash states, faults, kill storms, full disks, counting, readers, corruption.
#
#   ruby test/crash/campaign.rb                              # the drop-in in each mode, stock as the control
#   ruby test/crash/campaign.rb --only faults --subject frugal-0.3.0+ultra --examples 20
#   ruby test/crash/campaign.rb --only storms --kills 2000 --large-kills 300 --seed 7
#
# Exit status: 0 if no subject but stock breaks its promise, 1 if one does, 2 misuse.
require "optparse"
require_relative "campaigns"

class Campaign
  PARTS = %w[states faults storms disk counting readers corruption].freeze
  SUBJECTS = %w[stock frugal].product(Safety::Subject::VERSIONS, ["", "+ultra", "+yaml", "+yaml+ultra"]).map do |family, version, flags|
    "#{family}-#{version}#{flags}"
  end.freeze
  LARGE = 8_000_000 # bytes
  SMALL = 600

  def initialize(options)
    @options = options
    @broken = 0
  end

  # @return [Integer] the exit status
  def call
    puts "seed #{@options[:seed]}"
    @options[:subjects].each do |name|
      subject = Safety::Subject.new(name)
      next puts("#{name}: left out: #{subject.missing}") if subject.missing

      @promise = subject.family == "stock" ? nil : Safety::Promise.new(subject)
      Safety::Host.open(subject) { |host| @options[:only].each { |part| send(part, host) } }
    end
    puts @broken.zero? ? "no promise broken" : "#{@broken} promises broken"
    @broken.zero? ? 0 : 1
  end

  private

  def show(result)
    broken = @promise&.broken_by(result) || {}
    puts result
    @broken += 1 if broken.any?
    puts "  BROKEN: #{broken}" if broken.any?
    # The first word of an example is its kind.
    examples = @promise ? result.examples.select { |example| broken.key?(example[/\A\w+/].to_sym) } : result.examples
    examples.first(@options[:examples]).each { |example| puts "  #{example}" }
  end

  def states(host)
    Safety::Workload::ALL.each_key do |workload|
      show(Safety::StatesCampaign.new(host, workload, window: @options[:window], journal: @options[:journal]).call)
    end
  end

  def faults(host)
    Safety::Workload::ALL.each_key.to_a.product([false, true]).each do |workload, warm|
      show(Safety::FaultsCampaign.new(host, workload, warm: warm).call)
    end
  end

  def storms(host)
    { SMALL => @options[:kills], LARGE => host.subject.yaml? ? 0 : @options[:large_kills] }.each do |size, kills|
      show(Safety::StormsCampaign.new(host, size: size, kills: kills, seed: @options[:seed]).call) if kills.positive?
    end
  end

  def disk(host)
    reason = Safety::FullDiskCampaign.missing
    return puts("#{host.subject}: full disks left out: #{reason}") if reason

    ["first write", "grow", "shrink", "change, same size", "delete"].each { |workload| show(Safety::FullDiskCampaign.new(host, workload).call) }
  end

  # Alone, and with each stock that may share the file: not one before 0.3.0
  # with who renames, since it goes on with the file that it waited for.
  def counting(host)
    count(host => 8)
    beside(host) { |other| count(host => 4, other => 4) }
  end

  def count(hosts)
    show(Safety::CountingCampaign.new(hosts, times: @options[:times]).call)
  end

  def readers(host)
    Safety::Host.open(host.subject) { |other| read(host, other) }
    beside(host) do |other|
      read(host, other)
      read(other, host)
    end
  end

  def read(reader, writer)
    show(Safety::ReadersCampaign.new(reader, writer, times: @options[:times] * 4).call)
  end

  def beside(host, &block)
    return unless host.subject.frugal?

    others = host.subject.ultra? ? [] : %w[stock-0.1.1 stock-0.2.1]
    [*others, "stock-0.3.0", "stock-0.3.0+ultra"].each do |name|
      Safety::Host.open(Safety::Subject.new(host.subject.yaml? ? "#{name}+yaml" : name), &block)
    end
  end

  def corruption(host)
    return show(Safety::CorruptionCampaign.new(host, wrong: @options[:wrong], seed: @options[:seed]).call) unless host.subject.frugal?

    stock = Safety::Subject.new(host.subject.name.sub("frugal", "stock").sub("+pure", ""))
    Safety::Host.open(stock) do |control|
      show(Safety::CorruptionCampaign.new(host, control: control, wrong: @options[:wrong], seed: @options[:seed]).call)
    end
  end
end

options = { subjects: [], only: Campaign::PARTS, window: 8, journal: false, seed: Random.new_seed % 1_000_000_000, kills: 500,
            large_kills: 100, times: 1000, wrong: 20_000, examples: 3 }
parser = OptionParser.new do |opts|
  opts.banner = "Usage: ruby test/crash/campaign.rb [options]"
  opts.on("--subject NAME", "stock-VERSION or frugal-VERSION, then any of +ultra +yaml +pure;",
          "or store, then any of +atomic +durable +json +messagepack +sqlite +pure; may be repeated (all)") do |name|
    options[:subjects] << name
  end
  opts.on("--only PART,PART", Array, "of #{Campaign::PARTS.join(", ")} (all)") { |parts| options[:only] = parts }
  opts.on("--window N", Integer, "how many unsynced operations may be lost, any subset (8)") { |value| options[:window] = value }
  opts.on("--journal", "names change in order, as on ext4; without: in any") { options[:journal] = true }
  opts.on("--kills N", Integer, "kills of a writer of a small store (500)") { |value| options[:kills] = value }
  opts.on("--large-kills N", Integer, "and of one of 8 MB (100)") { |value| options[:large_kills] = value }
  opts.on("--times N", Integer, "increments of each of eight processes (1000)") { |value| options[:times] = value }
  opts.on("--wrong N", Integer, "files with wrong bytes (20000)") { |value| options[:wrong] = value }
  opts.on("--seed S", Integer, "the random seed (fresh, printed)") { |value| options[:seed] = value }
  opts.on("--examples N", Integer, "how many wrong ones are described (3)") { |value| options[:examples] = value }
end
begin
  parser.parse!
  unknown = options[:only] - Campaign::PARTS
  raise OptionParser::InvalidArgument, unknown.join(",") if unknown.any?

  options[:subjects] = Campaign::SUBJECTS if options[:subjects].empty?
  options[:subjects].each { |name| Safety::Subject.new(name) }
rescue OptionParser::ParseError, ArgumentError => error
  warn error.message, parser.help
  exit 2
end
exit Campaign.new(options).call
