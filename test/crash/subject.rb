# frozen_string_literal: true

require "yaml"
require_relative "store_subject"

module Safety
  ROOT = File.expand_path("../..", __dir__)

  # An implementation under test, by a name that a command line can carry:
  # whose code, which rules, how it is asked to save.
  #
  #   Subject.new("stock-0.3.0").open(path)             # in a process that called +load+
  #   Subject.new("frugal-0.2.1+ultra+yaml+pure")
  #   Subject.new("reference+nofilesync")               # see {ReferenceStore}
  #
  # A new implementation joins by a line in FLAGS and what +load+ and +open+ need.
  class Subject
    FLAGS = { "stock" => %w[ultra yaml], "frugal" => %w[ultra yaml pure], "reference" => %w[nofilesync nofoldersync sizeonly],
              "store" => StoreSubject::FLAGS }.freeze
    VERSIONS = %w[0.1.1 0.2.1 0.3.0].freeze

    attr_reader :name, :family, :version, :flags

    def initialize(name)
      @name = name
      code, *@flags = name.split("+")
      @family, @version = code.to_s.split("-", 2)
      known = FLAGS[family] && (flags - FLAGS[family]).empty? && (%w[reference store].include?(family) ? version.nil? : VERSIONS.include?(version))
      raise ArgumentError, "#{name} is no subject: stock-VERSION or frugal-VERSION, then any of +ultra +yaml +pure; or store and any of #{StoreSubject::FLAGS.join(" ")}" unless known

      extend(StoreSubject) if family == "store"
    end

    def frugal? = family == "frugal"
    def pstore? = %w[stock frugal].include?(family)
    def ultra? = flags.include?("ultra")
    def yaml? = flags.include?("yaml")

    # Why it cannot be tested here, or nil.
    def missing
      return unless pstore?
      return "there is no pstore #{version} in tmp/pstores" unless File.directory?(library)

      "there is no drop-in for PStore" if frugal? && !File.exist?("#{ROOT}/lib/frugal/pstore.rb")
    end

    def environment = { "FRUGAL_ENGINE" => flags.include?("pure") ? "pure" : "c", "RUBYOPT" => nil, "RUBYLIB" => nil, "FRUGAL" => nil }
    def ruby_options = pstore? ? ["-I", library, "-I", "#{ROOT}/lib"] : []

    # Makes this process one that runs the subject.
    def load
      return require_relative("reference_store") unless pstore?

      require "pstore"
      raise "pstore #{PStore::VERSION} was loaded for #{name}" unless PStore::VERSION == version

      require "yaml/store" if yaml?
      load_drop_in if frugal?
    end

    # @return [PStore] or what answers to the same messages
    def open(path)
      return ReferenceStore.new(path, careless: flags) unless pstore?

      store = yaml? ? YAML::Store.new(path) : PStore.new(path)
      store.ultra_safe = true if ultra?
      store
    end

    # The bytes of a file that holds the table, and back: by the format's own
    # library, not by the subject.
    def encode(table) = yaml? ? table.to_yaml : Marshal.dump(table)

    def decode(bytes)
      return {} if bytes.empty?

      yaml? ? YAML.unsafe_load(bytes) : Marshal.load(bytes)
    end

    # What a kill in the middle of a call leaves of a store, and what a power cut
    # does: one state or the other, whole; and whether what was acknowledged is there.
    def survives_kills? = survives_power_cuts?
    def survives_power_cuts? = ultra? || durable?
    def durable? = family == "reference"

    # Whether the format's own library reads what the store does.
    def plain_file? = true

    # How many descriptors a store may keep open between transactions, and files beside its own.
    def kept_descriptors = frugal? ? 1 : 0
    def kept_files = pstore? ? 0 : 1

    def to_s = name

    private

    def load_drop_in
      require "frugal/pstore"
      state = Frugal::Dropin.status.find { |drop_in| drop_in.name == :pstore }
      raise "the drop-in is #{state.state}: #{state.reason}" unless state.state == :on
    end

    def library = "#{ROOT}/tmp/pstores/gems/pstore-#{version}/lib"
  end
end
