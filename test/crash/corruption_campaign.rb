# frozen_string_literal: true

require "tmpdir"
require_relative "worker_process"
require_relative "memory"
require_relative "workloads"

module Safety
  # Opens files that were truncated at every byte, and files with wrong bytes. A truncated
  # file must raise an error and stay unchanged. A file with wrong bytes must have the same
  # result as with stock: an error or, where the format cannot detect it, a table.
  class CorruptionCampaign
    # Counts of files: +tried+; +empty+: truncated and read as an empty store; +silent+:
    # truncated and read as another table without an error; +changed+: written to;
    # +different+: the result differs from that of +control+.
    Result = Struct.new(:subject, :control, :tried, :empty, :silent, :changed, :different, :examples,
                        keyword_init: true) do
      def to_s
        "#{subject}: #{tried} corrupt files, #{empty} read as empty, #{silent} as another table without an error, " \
          "#{changed} changed#{", #{different} read differently than by #{control}" if control}"
      end
    end

    BATCH = 50
    EMPTY = [{}, nil].map { |value| Marshal.dump(value) }.freeze # all roots, one root
    ROOT = "list"
    TABLE = { "name" => "a store that will be cut at every byte", "count" => 70_000, ROOT => (1..60).to_a,
              :symbol => [1.5, nil, true], "text" => Workload.text(9, 250),
              "nested" => { "a" => { "b" => [:c, 2**70] }, 3 => "three" }, 7 => "seven" }.freeze

    # @param control [WorkerProcess, nil] reads the same files
    # @param wrong [Integer] how many files with wrong bytes
    # @param every [Integer] the file is truncated at each multiple of this number of bytes
    def initialize(worker, control: nil, wrong: 200, every: 1, seed: 1, folder: Safety.memory)
      @worker = worker
      @every = every
      @control = control
      @early = worker.subject.version.to_s < "0.3"
      @wrong = wrong
      @random = Random.new(seed)
      @folder = folder
    end

    # @return [Result]
    def call
      @result = Result.new(subject: @worker.subject.name, control: @control&.subject&.name, tried: 0, empty: 0,
                           silent: 0, changed: 0, different: 0, examples: [])
      intact = @worker.subject.encode(TABLE)
      truncated = (1...intact.bytesize).step(@every).map { |size| intact.byteslice(0, size) }
      Dir.mktmpdir("frugal-corrupt", @folder) do |folder|
        @path = "#{folder}/store"
        truncated.each_slice(BATCH) { |files| read(files) { |*one| check_truncated(*one) } }
        Array.new(@wrong) { corrupt(intact) }.each_slice(BATCH) { |files| read(files) { |*one| check_wrong(*one) } }
      end
      @result
    end

    private

    def read(files)
      others = @control&.read_bytes(@path, files, ROOT)
      @worker.read_bytes(@path, files, ROOT).each_with_index do |(*answers, unchanged), index|
        @result.tried += 1
        add(:changed, files[index], "the file") unless unchanged
        yield files[index], answers, others&.fetch(index)&.first(3)
      end
    end

    # A truncated YAML document can be a valid one with fewer roots.
    def check_truncated(bytes, answers, other)
      read = yaml? ? [] : answers.select { |kind,| kind == :value }
      add(read.any? { |_, value| EMPTY.include?(value) } ? :empty : :silent, bytes, answers) if read.any?
      check_wrong(bytes, answers, other)
    end

    # One difference is intended: stock before 0.3.0 reads some truncated files as empty ones.
    def check_wrong(bytes, answers, other)
      return if other.nil?

      different = answers.zip(other).reject do |ours, stock|
        ours == stock || (@early && ours.first == :error && stock.first == :value && EMPTY.include?(stock.last))
      end
      add(:different, bytes, different) if different.any?
    end

    def yaml? = @worker.subject.yaml?

    # Changes, inserts or deletes one to four bytes.
    def corrupt(intact)
      intact.b.tap do |bytes|
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

    def add(kind, bytes, found)
      @result[kind] += 1
      return if @result.examples.size >= 20

      @result.examples << "#{kind}: #{found.inspect[0, 400]} of #{bytes.bytesize} bytes: #{[bytes].pack("m0")}"
    end
  end
end
