# frozen_string_literal: true

require_relative "../constants"
require_relative "home"

module Frugal
  module Dropin
    # A line of the catalogue: what is known of a drop-in before it is read.
    #
    #   Entry.new(name: :rake, feature: "rake.rb", constant: :Rake,
    #             parts: %w[Rake::Application FileList], version: "Rake::VERSION")
    class Entry
      # @return [Symbol] as in <tt>frugal run --only</tt> and FRUGAL_<NAME>=0
      attr_reader :name
      # @return [String, nil] the file of upstream that is loaded first; nil: Ruby has it built in, or it is not waited for
      attr_reader :feature
      # @return [String, nil] the name of upstream's gem
      attr_reader :gem
      # @return [String, nil] what brings it alone, where neither <tt>frugal run</tt> nor upstream's arrival does
      attr_reader :switch
      # @return [Symbol] the constant that upstream cannot do without
      attr_reader :constant
      # @return [Array<String>] what to require for all of upstream
      attr_reader :loads

      # @param gem [String, nil] the name of upstream's gem; nil: it is not waited for, or built in
      # @param origin [Array(String, Symbol), nil] a module and one of its methods that upstream's own file defines
      # @param parts [Array<String>] constants without which upstream is not
      #   loaded in full, or is something else of the same name
      # @param version [String] the constant that holds upstream's version
      # @param loads [Array<String>] what to require, where the feature alone will not do
      # @param switch [String, nil] the feature of ours that alone brings it
      # @param optional [Boolean] whether many machines are well without upstream
      # @param file [String] without +.rb+, absolute
      def initialize(name:, feature:, constant:, parts:, version:, gem: nil, origin: nil,
                     loads: [feature&.delete_suffix(".rb")].compact, switch: nil, optional: false, file: "#{__dir__}/#{name}.rb")
        @name = name
        @gem = gem
        @origin = origin
        @feature = feature
        @constant = constant
        @parts = parts
        @version = version
        @loads = loads
        @switch = switch
        @optional = optional
        @file = file
      end

      # Whether a machine without upstream lacks nothing.
      def optional? = @optional

      # Whether upstream is loaded in full.
      def ready? = @parts.all? { |path| Constants.loaded(path) }

      # @return [String, nil] upstream's version; nil before it is loaded
      def version = Constants.loaded(@version)&.to_s

      # @return [String, nil] the file, if something else than upstream has its name
      # *Cost*: at most one stat.
      def stranger
        return unless @origin

        owner, method = @origin
        file, = Constants.loaded(owner)&.instance_method(method)&.source_location
        file.to_s unless Home.of?(file, @gem)
      rescue NameError
        "another #{@constant}"
      end

      # Reads the drop-in.
      # @return [Module] it answers +guard+ and +install+
      def load
        defined?(Parts) ? Parts.need(@file) : require(@file)
        Dropin.const_get(@name.to_s.split("_").map(&:capitalize).join, false)
      end
    end
  end
end
