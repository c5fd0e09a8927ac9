# frozen_string_literal: true

module Frugal
  module Dropin
    module Rake
      # Turns a pathmap spec into a program for the engine, once a spec: Rake scans
      # the spec, and compiles its patterns, for each file anew.
      #
      #   "%{^src,out}X.o" becomes [["X", [["src", "out"]]], ".o"]
      module Pathmap
        FRAGMENT = /%\{[^}]*\}-?\d*[sdpfnxX%]|%-?\d+d|%.|[^%]+/.freeze
        REPLACING = /\A%\{([^}]*)\}([dpfnxX])\z/.freeze
        # ^ and letters that mean themselves: a prefix, compared without a Regexp.
        PREFIX = %r{\A\^[\w/\- ]+\z}.freeze
        KEPT = 256

        # Rake's methods that a program stands for. A change of one of Ruby's own is seen in C, at each use.
        METHODS = %i[ext pathmap pathmap_replace].freeze

        # Says when one of METHODS is redefined, removed or undefined, or a module comes in front of String. A
        # program that defines one of these hooks itself would hide ours: that is a change, too.
        module Watch
          NAMES = %i[method_added method_removed method_undefined singleton_method_added prepend extend].freeze

          def prepend(*modules)
            super.tap { Pathmap.distrust }
          end

          def extend(*modules)
            super.tap { Pathmap.distrust if modules.any? { |one| Pathmap.hides?(one) } }
          end

          private

          %i[method_added method_removed method_undefined].each do |hook|
            define_method(hook) do |name|
              Pathmap.distrust if METHODS.include?(name)
              super(name)
            end
          end

          def singleton_method_added(name)
            Pathmap.distrust if NAMES.include?(name)
            super
          end
        end

        class << self
          # Makes String's methods ours; pathmap asks ext. From now on, changes of
          # String count.
          #
          # @param pathmap [Boolean] is String#pathmap Rake's own?
          # @param ext [Boolean] is String#ext?
          # The pure engine adopts none: Ruby code of ours would be no faster than Rake's, and would show in backtraces.
          def begin(engine, pathmap:, ext:)
            @programs = Hash.new do |programs, spec|
            learn(programs, spec)
          rescue OwnFailure
            nil
          end
            engine.adopt_pathmap(@programs) if pathmap && ext
            engine.adopt_extension if ext
            ::String.extend(Watch)
          end

          # A Hash that knows nothing: every spec is Rake's.
          def distrust
            @programs.clear
            @programs.default_proc = nil
          end

          # Does a module that extends String hide a hook of ours?
          def hides?(extension)
            Watch::NAMES.any? { |name| extension.method_defined?(name) || extension.private_method_defined?(name) }
          end

          private

          # nil where Rake has to read the spec: it may raise.
          def learn(programs, spec)
            return unless spec.ascii_only?

            programs.clear if programs.size >= KEPT
            programs[spec.dup.freeze] = compile(spec)
          end

          def compile(spec)
            parts = spec.scan(FRAGMENT).map { |fragment| part(fragment) || (return nil) }
            parts.reject { |part| part == "" }.freeze
          end

          def part(fragment)
            case fragment
            when /\A%([fndxXp])\z/ then [Regexp.last_match(1), []]
            when "%s" then File::ALT_SEPARATOR || File::SEPARATOR
            when "%-" then ""
            when "%%" then "%"
            when REPLACING then replacing(*Regexp.last_match.captures)
            when /\A[^%]/ then fragment
            end
          end

          def replacing(patterns, operator)
            pairs = patterns.split(";").map { |pair| substitution(*pair.split(",")) || (return nil) }
            [operator, pairs]
          rescue RegexpError
            nil
          end

          # With a block, Rake gives it what a "*" stands for: that is Rake's.
          def substitution(pattern = nil, replacement = "", *)
            return if pattern.nil?
            return [pattern.delete_prefix("^"), replacement] if PREFIX.match?(pattern) && !replacement.include?("\\")

            [Regexp.new(pattern), replacement]
          end
        end
      end
    end
  end
end
