# frozen_string_literal: true

module Frugal
  module Walk
    module FastGlob
      # What is different where JRuby's Dir.glob is replaced. It lists the alternatives of all braces one after
      # the other, sorts the paths of each as a whole ("a-b" before "a/c"), and never warns. Unsorted paths are in
      # an order of its own. A base is expanded as by File.expand_path. A name passes through a String of Java.
      module Jruby
        # Braces without nesting, in front of them anything but an escape or a bracket.
        BRACES = /\A[^{}\[\]\\]*(?:\{[^{}\[\]\\]*\}[^{}\[\]\\]*)+\z/
        # What JRuby may find in a jar, and not in the file system.
        FOREIGN = /[!:]/
        # Bases that expand to more than the directory in front of them.
        EXPANDED = %r{\A~|(?:\A|/)\.\.(?:/|\z)}n

        # Takes the place of Braces.alternatives.
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

          # JRuby lists "base/.", which it cannot if the base must not be searched.
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

          # JRuby ignores FNM_CASEFOLD only where there is a base.
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

          # Braces that are still there are JRuby's to read.
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
