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

        # Rake calls String#ext for %X and %n: whoever changes it must be heard.
        module Watch
          def prepend(*modules)
            super.tap { Pathmap.distrust }
          end

          private

          def method_added(name)
            Pathmap.distrust if %i[ext pathmap].include?(name)
            super
          end
        end

        class << self
          # Makes String's methods ours; pathmap asks ext. From now on, changes of
          # String count.
          #
          # @param pathmap [Boolean] is String#pathmap Rake's own?
          # @param ext [Boolean] is String#ext?
          def begin(engine, pathmap:, ext:)
            @programs = Hash.new { |programs, spec| learn(programs, spec) }
            engine.adopt_pathmap(@programs) if pathmap && ext
            engine.adopt_extension if ext
            ::String.extend(Watch)
          end

          # A Hash that knows nothing: every spec is Rake's.
          def distrust
            @programs.clear
            @programs.default_proc = nil
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
