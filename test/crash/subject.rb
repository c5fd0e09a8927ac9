# frozen_string_literal: true

# needs: pstores

require "yaml"
require_relative "store_subject"

module Safety
  ROOT = File.expand_path("../..", __dir__)

  # The implementation under test. Its name, which can be an argument of a command, has the
  # family, the version of PStore, and flags for the mode.
  #
  #   Subject.new("stock-0.3.0").open(path)             # in a process that called +load+
  #   Subject.new("frugal-0.2.1+ultra+yaml+pure")
  #   Subject.new("reference+nofilesync")               # see {ReferenceStore}
  #
  # To add an implementation, add a line to FLAGS, and extend +load+ and +open+.
  class Subject
    FLAGS = { "stock" => %w[ultra yaml], "frugal" => %w[ultra yaml pure],
              "reference" => %w[nofilesync nofoldersync sizeonly],
              "store" => StoreSubject::FLAGS }.freeze
    VERSIONS = %w[0.1.1 0.2.1 0.3.0].freeze
    USAGE = "use stock-VERSION or frugal-VERSION, then any of +ultra +yaml +pure; " \
            "or store and any of #{StoreSubject::FLAGS.map { |flag| "+#{flag}" }.join(" ")}"
    private_constant :USAGE

    attr_reader :name, :family, :version, :flags

    def initialize(name)
      @name = name
      code, *@flags = name.split("+")
      @family, @version = code.to_s.split("-", 2)
      raise ArgumentError, "#{name} is not a subject: #{USAGE}" unless valid?

      extend(StoreSubject) if family == "store"
    end

    def frugal? = family == "frugal"
    def pstore? = %w[stock frugal].include?(family)
    def ultra? = flags.include?("ultra")
    def yaml? = flags.include?("yaml")

    # The reason why it cannot be tested here, or nil.
    def missing
      return unless pstore?
      return "pstore #{version} is not in tmp/pstores" unless File.directory?(library)

      "frugal has no drop-in for PStore" if frugal? && !File.exist?("#{ROOT}/lib/frugal/pstore.rb")
    end

    def environment
      { "FRUGAL_ENGINE" => flags.include?("pure") ? "pure" : "c", "RUBYOPT" => nil, "RUBYLIB" => nil, "FRUGAL" => nil }
    end

    def ruby_options = pstore? ? ["-I", library, "-I", "#{ROOT}/lib"] : []

    # Loads the subject into this process.
    def load
      return require_relative("reference_store") unless pstore?

      require "pstore"
      raise "pstore #{PStore::VERSION} was loaded for #{name}" unless PStore::VERSION == version

      require "yaml/store" if yaml?
      load_drop_in if frugal?
    end

    # @return [PStore] or an object with its methods
    def open(path)
      return ReferenceStore.new(path, mutations: flags) unless pstore?

      store = yaml? ? YAML::Store.new(path) : PStore.new(path)
      store.ultra_safe = true if ultra?
      store
    end

    # Converts a table to the bytes of a file, and back, with the library of the format and without
    # the subject.
    def encode(table) = yaml? ? table.to_yaml : Marshal.dump(table)

    def decode(bytes)
      return {} if bytes.empty?

      yaml? ? YAML.unsafe_load(bytes) : Marshal.load(bytes)
    end

    # Whether the store is the old or the new one after a kill in the middle of a call, and after a
    # power cut; durable?: whether acknowledged transactions are there after a power cut.
    def survives_kills? = survives_power_cuts?
    def survives_power_cuts? = ultra? || durable?
    def durable? = family == "reference"

    # Whether the library of the format reads the same table from the file as the store.
    def file_complete? = true

    # How many descriptors a store may keep open between transactions, and how many files beside its own.
    def kept_descriptors = frugal? ? 1 : 0
    def kept_files = pstore? ? 0 : 1

    def to_s = name

    private

    def valid?
      return false unless FLAGS[family] && (flags - FLAGS[family]).empty?

      %w[reference store].include?(family) ? version.nil? : VERSIONS.include?(version)
    end

    def load_drop_in
      require "frugal/pstore"
      state = Frugal::Dropin.status.find { |drop_in| drop_in.name == :pstore }
      raise "the drop-in is #{state.state}: #{state.reason}" unless state.state == :on
    end

    def library = "#{ROOT}/tmp/pstores/gems/pstore-#{version}/lib"
  end
end
