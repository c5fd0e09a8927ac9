# frozen_string_literal: true

require_relative "pure"

module Frugal
  module Native
    # The twin of {C} in Java, for JRuby: calls libc by jffi (ext/java/frugal, docs/adr/0012). For everything else
    # it uses the pure engine.
    #
    #   Frugal::Native::Java.tier  # => :jffi, or :portable where libc cannot be called
    module Java
      include Pure # its constants; those of Java come first

      NAME = :java
      JAR = "#{__dir__.delete_suffix("/native")}/native.jar".freeze
      OLDEST = [9, 4].freeze
      # Classes that are defined when they are first used, by the jar (a method define_…) or by a file.
      LATER = { stores: %i[StoreFile MarshalIndex MarshalTable], entries: %i[EntryFile EntryRecord],
                files: %i[Beneath BeneathFile], find_walk: %i[FindWalk] }.freeze
      private_constant :LATER

      extend Pure::Names
      extend Pure::Probe
      extend Pure::Upstream

      class << self
        # Loads the jar.
        #
        # @return [Module] this one
        # @raise [LoadError] if the jar is unreadable, or this JRuby is too old for it
        def load
          raise LoadError, "JRuby #{JRUBY_VERSION} is older than #{OLDEST.join(".")}" if older?

          Kernel.load(JAR) # require would find native.rb, which has the same name
          require "jruby/util"
          JRuby::Util.load_ext("frugal.NativeLibrary")
          complete(self::Probe)
          LATER.each { |part, names| load_later(part, names) if able?(part) }
          extend(self::Names) if const_defined?(:Names, false)
          extend(self::Upstream, self::Probe)
        rescue StandardError, java.lang.LinkageError => e
          raise LoadError, "#{JAR}: #{e.message}"
        end

        # Loads the classes of a part now. An autoload would call `require`, which the program may have replaced,
        # and which raises a LoadError if no descriptor is free.
        #
        # @param part [Symbol] a key of {LATER}; nothing happens for one that this tier does not have
        # @return [void]
        # @raise [LoadError, SystemCallError]
        def need(part)
          names = LATER.fetch(part)
          return unless autoload?(names.first, false)
          return const_get(names.first) unless Loader.frugal_run?

          names.each { |name| remove_const(name) } # ends the autoload
          Loader.need(file_of(part))
        end

        # @return [Symbol] `:jffi`, or `:portable` for JRuby's own methods
        def tier = self::REASON ? :portable : :jffi

        # @return [String] the tier in words
        def description
          tier == :jffi ? "calls libc by jffi" : "the portable tier, JRuby's own calls: #{self::REASON}"
        end

        private

        # Whether the jar has a part in this tier.
        def able?(part) = part == :find_walk ? const_defined?(:Tree, false) : respond_to?(:"define_#{part}")

        # Under `frugal run`, the file of these classes does not become a feature.
        def load_later(part, names)
          file = file_of(part)
          names.each { |name| autoload(name, file) }
          Loader.conceal_autoload(file)
        end

        def file_of(part) = "#{__dir__}/java/#{part}.rb"

        # Adds the methods that this tier lacks, because all methods of Probe are copied to Frugal.
        def complete(probe)
          missing = Pure::Probe.instance_methods(false) - probe.instance_methods(false)
          missing.each { |name| probe.define_method(name, Pure::Probe.instance_method(name)) }
        end

        def older? = (JRUBY_VERSION.split(".").first(2).map(&:to_i) <=> OLDEST).negative?
      end
    end
  end
end
