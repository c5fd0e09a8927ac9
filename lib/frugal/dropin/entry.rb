# frozen_string_literal: true

require_relative "../constants"
require_relative "home"

module Frugal
  module Dropin
    # An entry of the catalogue: the properties of a drop-in that are needed before it is loaded.
    #
    #   Entry.new(name: :rake, feature: "rake.rb", constant: :Rake, parts: %w[Rake::Application FileList],
    #             version: "Rake::VERSION", versions: ["13.0".."13.4"])
    class Entry
      # @return [Symbol] as in `frugal run --only` and FRUGAL_<NAME>=0
      attr_reader :name
      # @return [String, nil] the file of upstream that is loaded first; nil if upstream is built in,
      #   or if frugal does not wait for it
      attr_reader :feature
      # @return [String, nil] the name of upstream's gem
      attr_reader :gem
      # @return [String, nil] the feature of frugal to require, if neither `frugal run` nor loading
      #   upstream enables the drop-in
      attr_reader :switch
      # @return [Symbol] the constant that upstream always defines
      attr_reader :constant
      # @return [Array<String>] the features to require to load all of upstream
      attr_reader :loads

      # @param gem [String, nil] the name of upstream's gem; nil if it is built in or not waited for
      # @param origin [Array(String, Symbol), nil] a module, and one of its methods that upstream defines
      # @param parts [Array<String>] constants that exist only when all of upstream is loaded;
      #   another library of the same name does not have them
      # @param version [String] the name of the constant with upstream's version
      # @param loads [Array<String>] the features to require, if not just `feature`
      # @param versions [Array<Range<String>>] the minor versions of upstream that the drop-in supports; empty for all
      # @param except [String, nil] a version in these ranges that it does not support
      # @param switch [String, nil] see {#switch}
      # @param optional [Boolean] see {#optional?}
      # @param answers [Array<String>, nil] the methods of upstream for which the drop-in removes all superfluous
      #   calls, also in the methods that they call, whatever the arguments are; nil for all methods
      # @param file [String] the drop-in's file: absolute
      def initialize(name:, feature:, constant:, parts:, version:, versions: [], except: nil, gem: nil, origin: nil,
                     loads: [feature&.delete_suffix(".rb")].compact, switch: nil, optional: false, answers: nil,
                     file: "#{__dir__}/#{name}.rb")
        @name = name
        @gem = gem
        @origin = origin
        @feature = feature
        @constant = constant
        @parts = parts
        @version = version
        @versions = versions
        @except = except
        @loads = loads
        @switch = switch
        @optional = optional
        @answers = answers
        @file = file
      end

      # Whether it is normal that upstream is not installed.
      def optional? = @optional

      # @param method [String] a method of upstream on the stack of a system call
      # @return [Boolean] whether the drop-in removes the call if it is superfluous; false if that depends on the
      #   arguments
      def answers?(method) = @answers.nil? || @answers.include?(method)

      # Whether all of upstream is loaded.
      def ready? = @parts.all? { |path| Constants.loaded(path) }

      # @return [String, nil] upstream's version; nil until it is loaded
      def version = Constants.loaded(@version)&.to_s

      # Call this method only after the drop-in is loaded.
      #
      # @return [String, nil] why the drop-in stands aside; nil for a known version, and for an upstream that has none
      def unknown_version
        return if @versions.empty? || (found = version).nil?

        Guard.unknown_version(@constant.to_s, found, *@versions, except: @except)
      end

      # Finds a library that has upstream's name but is not upstream.
      #
      # *Cost*: at most one `stat`.
      #
      # @return [String, nil] its file; nil for upstream itself
      def foreign_file
        return unless @origin

        owner, method = @origin
        file, = Constants.loaded(owner)&.instance_method(method)&.source_location
        file.to_s unless Home.of?(file, @gem)
      rescue NameError
        "another #{@constant}"
      end

      # Loads the drop-in.
      #
      # @return [Module] with the methods `guard` and `install`
      def load
        Loader.need(@file)
        Dropin.const_get(@name.to_s.split("_").map(&:capitalize).join, false)
      end
    end
  end
end
