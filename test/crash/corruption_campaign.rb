# frozen_string_literal: true

require "tmpdir"
require_relative "host"
require_relative "memory"
require_relative "workloads"

module Safety
  # Files that were cut at every byte, and files with wrong bytes. A cut one
  # must raise, and stay as it is; a wrong one must give what stock gives, be it
  # an error or, where the format cannot tell, a table.
  class CorruptionCampaign
    # Of the +tried+ files, +empty+ ones were read as an empty store, +silent+
    # ones as another table than was written, though they were cut;
    # +changed+ ones were written to; +different+ ones were read otherwise than by +control+.
    Result = Struct.new(:subject, :control, :tried, :empty, :silent, :changed, :different, :examples, keyword_init: true) do
      def to_s
        "#{subject}: #{tried} corrupt files, #{empty} read as empty, #{silent} otherwise without an error, #{changed} changed" \
          "#{", #{different} not as #{control} reads them" if control}"
      end
    end

    BATCH = 50
    EMPTY = [{}, nil].map { |value| Marshal.dump(value) }.freeze # all roots, one root
    ROOT = "list"
    TABLE = { "name" => "a store that will be cut at every byte", "count" => 70_000, ROOT => (1..60).to_a, :symbol => [1.5, nil, true],
              "text" => Workload.text(9, 250), "nested" => { "a" => { "b" => [:c, 2**70] }, 3 => "three" }, 7 => "seven" }.freeze

    # @param control [Host, nil] that reads the same files
    # @param wrong [Integer] how many files with wrong bytes
    # @param every [Integer] at every how many bytes it is cut
    def initialize(host, control: nil, wrong: 200, every: 1, seed: 1, folder: Safety.memory)
      @host = host
      @every = every
      @control = control
      @early = host.subject.version.to_s < "0.3"
      @wrong = wrong
      @random = Random.new(seed)
      @folder = folder
    end

    # @return [Result]
    def call
      @result = Result.new(subject: @host.subject.name, control: @control&.subject&.name, tried: 0, empty: 0, silent: 0, changed: 0,
                           different: 0, examples: [])
      whole = @host.subject.encode(TABLE)
      cut = (1...whole.bytesize).step(@every).map { |size| whole.byteslice(0, size) }
      Dir.mktmpdir("frugal-corrupt", @folder) do |folder|
        @path = "#{folder}/store"
        cut.each_slice(BATCH) { |files| read(files) { |bytes, answers, other| judge_cut(bytes, answers, other) } }
        Array.new(@wrong) { spoil(whole) }.each_slice(BATCH) { |files| read(files) { |*one| judge_wrong(*one) } }
      end
      @result
    end

    private

    def read(files)
      others = @control&.read_bytes(@path, files, ROOT)
      @host.read_bytes(@path, files, ROOT).each_with_index do |(*answers, unchanged), index|
        @result.tried += 1
        wrong(:changed, files[index], "the file") unless unchanged
        yield files[index], answers, others&.fetch(index)&.first(3)
      end
    end

    # A YAML document that was cut can be one that is whole, of fewer roots.
    def judge_cut(bytes, answers, other)
      read = yaml? ? [] : answers.select { |kind,| kind == :value }
      wrong(read.any? { |_, value| EMPTY.include?(value) } ? :empty : :silent, bytes, answers) if read.any?
      judge_wrong(bytes, answers, other)
    end

    # Stock before 0.3.0 reads some files that end too early as empty ones: the one difference that is wanted.
    def judge_wrong(bytes, answers, other)
      return if other.nil?

      different = answers.zip(other).reject do |ours, stock|
        ours == stock || (@early && ours.first == :error && stock.first == :value && EMPTY.include?(stock.last))
      end
      wrong(:different, bytes, different) if different.any?
    end

    def yaml? = @host.subject.yaml?

    # One to four bytes changed, put in or taken out.
    def spoil(whole)
      whole.b.tap do |bytes|
        @random.rand(1..4).times do
          at = @random.rand(bytes.bytesize)
          case @random.rand(4)
          when 0 then bytes.slice!(at)
          when 1 then bytes.insert(at, @random.bytes(1))
          when 2 then bytes.setbyte(at, bytes.getbyte(at) ^ (1 << @random.rand(8)))
          else bytes.setbyte(at, @random.rand(256))
          end
        end
      end
    end

    def wrong(kind, bytes, what)
      @result[kind] += 1
      @result.examples << "#{kind}: #{what.inspect[0, 400]} of #{bytes.bytesize} bytes: #{[bytes].pack("m0")}" if @result.examples.size < 20
    end
  end
end
