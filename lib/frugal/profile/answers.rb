# frozen_string_literal: true

require_relative "agents"
require_relative "kinds"
require_relative "run"

module Frugal
  module Profile
    # The questions of findings that were answered before. A process can give itself these answers, without the kernel:
    # then the saving of a fix is not predicted, but made. Or it asks the kernel all the same, and compares.
    #
    #   answers = Answers.of(findings)
    #   answers.in_folder(:give) do |environment, counts|
    #     system(environment, "rake", "-s")
    #     counts.call.values.sum(&:equal)   # => 412 questions that were not asked
    #   end
    #
    # The recorder reads the file (ext/frugal_recorder/answers.c), and counts in it. It has its own rule for how long an
    # answer holds, which is narrower than that of the findings.
    #
    # Other superfluous calls have no earlier answer: a check before its use, a search of the load path.
    class Answers
      MODES = { compare: 1, give: 2 }.freeze
      FINDINGS = %i[redundant_call repeated_realpath repeated_listing].freeze
      QUESTIONS = [*Kinds::QUESTIONS, :getcwd].freeze
      LISTING = :opendir # stands for each way to open a folder whose names are then read
      MAGIC = "FRUGANS1"
      HEADER = "a8L4"
      HEADER_SIZE = 24
      KEY = "QL8"
      KEY_SIZE = 40
      NAME = 16 # bytes
      PSEUDO = %r{\A/(?:proc|sys|dev)(?:/|\z)}n
      private_constant :MODES, :FINDINGS, :QUESTIONS, :LISTING, :MAGIC, :HEADER, :HEADER_SIZE, :KEY, :KEY_SIZE,
                       :NAME, :PSEUDO

      # How often a question was repeated, and its answer was the earlier one (or given without the kernel); or not. And
      # how long these questions took, in nanoseconds.
      Count = Struct.new(:equal, :different, :time)

      # A question: the name of the function, the path as the program spells it, and how often each finding counts it.
      Key = Struct.new(:name, :path, :findings)
      private_constant :Key

      # @param findings [Array<Finding>]
      # @return [Answers] for those of their calls that can be answered
      def self.of(findings)
        keys = {}
        plain = Hash.new { |known, path| known[path] = plain?(path) }
        findings.select { |finding| FINDINGS.include?(finding.kind) && !finding.ignored }.each do |finding|
          questions(finding).each do |name, path|
            next unless name == :getcwd || plain[path]

            key = keys[[name, path]] ||= Key.new(name, path, Hash.new(0).compare_by_identity)
            key.findings[finding] += 1
          end
        end
        new(keys.values)
      end

      # @param finding [Finding]
      # @return [Array<Array(Symbol, String)>] name and path of each question, in the order of time
      def self.questions(finding)
        listing = finding.kind == :repeated_listing
        finding.calls.filter_map do |call|
          next unless Call === call && call.path && (listing ? Kinds::OPENS : QUESTIONS).include?(name = call.name)

          [listing ? LISTING : name, name == :getcwd ? "" : call.path]
        end
      end
      private_class_method :questions

      # Whether there is no link on the path as it is spelled, and whether it is a file that changes only by calls. What
      # is behind a link may change under another name.
      def self.plain?(path)
        full = File.expand_path(path)
        !full.b.match?(PSEUDO) && resolved(path) == full.b
      end
      private_class_method :plain?

      # @return [String] binary: the path without links, as far as it exists
      def self.resolved(path)
        File.realpath(path).b
      rescue SystemCallError
        return "".b if File.symlink?(path) # to what does not exist

        folder, name = File.split(path)
        folder == path ? path.b : File.join(resolved(folder), name.b)
      end
      private_class_method :resolved

      # @param keys [Array<Key>]
      def initialize(keys)
        @keys = keys
      end

      # @return [Boolean]
      def empty? = @keys.empty?

      # @return [Array<Finding>] those with a question
      def findings = @keys.flat_map { |key| key.findings.keys }.uniq(&:object_id)

      # @param finding [Finding]
      # @return [Integer] how many of its questions can be answered
      def count(finding) = @keys.sum { |key| key.findings.fetch(finding, 0) }

      # @param finding [Finding]
      # @param answered [Numeric] how many of its questions were
      # @return [Float] µs: what that saves, as the finding predicts. A listing is several calls
      def predicted_us(finding, answered)
        calls = finding.kind == :repeated_listing ? count(finding) : finding.count
        finding.saved_us * answered / calls
      end

      # Makes a folder for one run of a program.
      #
      # @param mode [Symbol] +:compare+ or +:give+
      # @yieldparam environment [Hash{String => String}] for the program
      # @yieldparam counts [#call] returns the {Count} of each finding
      # @return [Object] the value of the block
      # @raise [Error] if there is no native recorder
      def in_folder(mode)
        Dir.mktmpdir("frugal-answers-") do |folder|
          file = File.join(folder, "answers")
          File.binwrite(file, content(mode))
          Agents.write(folder)
          yield Run.environment(folder, depth: 0), -> { counts(File.binread(file)) }
        end
      end

      private

      def content(mode)
        names = @keys.map(&:name).uniq
        texts = Texts.new(HEADER_SIZE + (names.size * NAME) + (@keys.size * KEY_SIZE))
        keys = @keys.map { |key| [0, names.index(key.name), *places(key, texts), 0, 0, 0].pack(KEY) }
        [MAGIC, MODES.fetch(mode), names.size, @keys.size, 0].pack(HEADER) +
          names.map { |name| [name.to_s].pack("a#{NAME}") }.join + keys.join + texts.bytes
      end

      # @return [Array<Integer>] where the spelling is, and the path
      def places(key, texts)
        plain = key.path.empty? ? "/" : File.expand_path(key.path)
        [key.path, plain].flat_map { |text| texts.place(text) }
      end

      def counts(content)
        _, _, names, = content.unpack(HEADER)
        at = HEADER_SIZE + (names * NAME)
        counts = Hash.new { |all, finding| all[finding] = Count.new(0, 0, 0) }.compare_by_identity
        @keys.each_with_index do |key, index|
          time, *, equal, different = content.unpack(KEY, offset: at + (index * KEY_SIZE))
          share(counts, key, Count.new(equal, different, time))
        end
        counts
      end

      # If several findings have a question, each gets its share.
      def share(counts, key, count)
        total = key.findings.values.sum
        key.findings.each do |finding, its|
          share = its.fdiv(total)
          counts[finding].equal += count.equal * share
          counts[finding].different += count.different
          counts[finding].time += count.time * share
        end
      end

      # Texts in a file, each once.
      class Texts
        # @return [String]
        attr_reader :bytes

        # @param start [Integer] the position of the first text
        def initialize(start)
          @start = start
          @bytes = "".b
          @places = {}
        end

        # @return [Array(Integer, Integer)] position and size
        def place(text)
          @places[text] ||= [@start + @bytes.bytesize, text.bytesize].tap { @bytes << text.b }
        end
      end
      private_constant :Texts
    end
  end
end
