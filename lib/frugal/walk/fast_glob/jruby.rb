# frozen_string_literal: true

module Frugal
  module Walk
    module FastGlob
      # The differences of JRuby's Dir.glob. It lists the alternatives of all braces one after the other, sorts
      # the paths of each as a whole ("a-b" before "a/c"), and never warns. It lists unsorted paths in another
      # order than Ruby, expands a base as File.expand_path does, and converts names to Strings of Java.
      module Jruby
        # Braces that are not nested, after any text without an escape or a bracket.
        BRACES = /\A[^{}\[\]\\]*(?:\{[^{}\[\]\\]*\}[^{}\[\]\\]*)+\z/
        # Characters of paths that JRuby may look up in a jar instead of the file system.
        FOREIGN = /[!:]/
        # Bases for which expansion does more than insert the current directory before them.
        EXPANDED = %r{\A~|(?:\A|/)\.\.(?:/|\z)}n

        # Replaces Braces.alternatives.
        def self.alternatives(pattern)
          return [pattern] unless BRACES.match?(pattern)

          split = Braces.expand(pattern)
          split&.none? { |one| Braces::EMPTY.match?(one) } ? split : [pattern]
        end

        # The walk of one pattern.
        class Request < FastGlob::Request
          # @param (see FastGlob::Request#paths)
          # @return [Array<String>, nil] nil if JRuby has to answer
          # *Cost*: as {Walk#walk}.
          def paths(_sort, ends = @ends)
            Native.engine::Tree.glob(root, options(ends), lists_folder? ? "#{@folder}.".force_encoding(@encoding) : nil)
          end

          private

          # JRuby lists "base/.", which fails if the base must not be searched.
          def root = dot? ? "#{super}/.".force_encoding(@encoding) : super

          def cut = dot? ? super + 2 : super

          def dot? = @base && @folder.empty? && !above.empty?
        end

        # Overrides of {FastGlob}'s methods.
        module Rules
          def parts(patterns, sort: true, base: nil, flags: 0)
            super if sort.equal?(true) && Encoding.default_internal.nil?
          end

          private

          # JRuby ignores FNM_CASEFOLD only with a base.
          def dots(flags, sort)
            super unless flags.instance_of?(Integer) && flags.anybits?(File::FNM_CASEFOLD)
          end

          def base(given)
            base = super or return base
            return false if FOREIGN.match?(base.b) || EXPANDED.match?(base.b)
            return false unless base.ascii_only? || (base.encoding == Encoding::UTF_8 && base.valid_encoding?)

            base
          end

          def split(pattern) = Jruby.alternatives(pattern)

          # JRuby answers a pattern that still contains braces.
          def request(pattern, base, dots)
            super unless FOREIGN.match?(pattern.b) || pattern.b.include?("{")
          end

          def request_class = Request
        end
        FastGlob.singleton_class.prepend(Rules)
      end
    end
  end
end
