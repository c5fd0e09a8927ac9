# frozen_string_literal: true

module Frugal
  module Dropin
    module Rake
      # Compiles a pathmap spec to a program for the engine, once for each spec. Stock
      # Rake parses the spec and compiles its patterns again for each file.
      #
      #   "%{^src,out}X.o" becomes [["X", [["src", "out"]]], ".o"]
      module Pathmap
        FRAGMENT = /%\{[^}]*\}-?\d*[sdpfnxX%]|%-?\d+d|%.|[^%]+/
        REPLACEMENT = /\A%\{([^}]*)\}([dpfnxX])\z/
        # A ^ and literal characters: a prefix, which is compared without a Regexp.
        PREFIX = %r{\A\^[\w/\- ]+\z}
        MAX_PROGRAMS = 256

        # The methods of Rake that the programs replace. The engine checks at each use that Ruby's own methods have
        # not changed; the Java engine checks these methods, too.
        METHODS = %i[ext pathmap pathmap_replace].freeze

        # Extends String and detects when one of METHODS is redefined, removed or undefined, or a module is prepended.
        # A program that defines one of these hooks itself would hide ours, so that counts as a change, too.
        module Watch
          NAMES = %i[method_added method_removed method_undefined singleton_method_added prepend extend].freeze

          def prepend(*modules)
            super.tap { Pathmap.disable }
          end

          def extend(*modules)
            super.tap { Pathmap.disable if modules.any? { |one| Pathmap.overrides_hook?(one) } }
          end

          private

          %i[method_added method_removed method_undefined].each do |hook|
            define_method(hook) do |name|
              Pathmap.disable if METHODS.include?(name)
              super(name)
            end
          end

          def singleton_method_added(name)
            Pathmap.disable if NAMES.include?(name)
            super
          end
        end

        class << self
          # Replaces String#pathmap, which calls String#ext, and String#ext. From now on, changes of String are
          # noticed. The pure engine replaces neither: its code would be no faster than Rake's, and would show in
          # backtraces; Java's methods do not.
          #
          # @param pathmap [Boolean] whether String#pathmap is Rake's own
          # @param ext [Boolean] whether String#ext is Rake's own
          def install(engine, pathmap:, ext:)
            @programs = Hash.new { |programs, spec| OwnFailure.or_else(nil) { add(programs, spec) } }
            engine.adopt_extension if ext
            engine.adopt_pathmap(@programs) if pathmap && ext
            ::String.extend(Watch) if Native.engine_name == :c
          end

          # Removes all programs, so that Rake itself handles every spec.
          def disable
            @programs.clear
            @programs.default_proc = nil
          end

          # Whether a module that extends String overrides a hook of Watch.
          def overrides_hook?(extension)
            Watch::NAMES.any? { |name| extension.method_defined?(name) || extension.private_method_defined?(name) }
          end

          private

          # @return [Array, nil] the program; nil if Rake has to parse the spec, and may raise
          def add(programs, spec)
            return unless spec.ascii_only?

            programs.clear if programs.size >= MAX_PROGRAMS
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
            when REPLACEMENT then replacement(*Regexp.last_match.captures)
            when /\A[^%]/ then fragment
            end
          end

          def replacement(patterns, operator)
            pairs = patterns.split(";").map { |pair| substitution(*pair.split(",")) || (return nil) }
            [operator, pairs]
          rescue RegexpError
            nil
          end

          # The replacement "*" is literal here: only pathmap with a block, which Rake's own method handles, treats it
          # differently. A replacement that names a group may raise, which has to happen in Rake's frames.
          def substitution(pattern = nil, replacement = "", *)
            return if pattern.nil? || replacement.include?("\\k")
            return [pattern.delete_prefix("^"), replacement] if PREFIX.match?(pattern) && !replacement.include?("\\")

            [Regexp.new(pattern), replacement]
          end
        end
      end
    end
  end
end
