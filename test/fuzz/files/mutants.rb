# frozen_string_literal: true

module FilesFuzz
  # Bugs that the fuzzer must find. Each method puts one of them into the loaded code.
  module Mutants
    class << self
      def links_are_followed = prepend_to(Frugal::Files) { def initialize(root, *more, **options) = super(root, *more, **options, follow_symlinks: true) }

      def ranges_of_variants
        prepend_to(Frugal::Files::Variants.singleton_class) do
          def choose(beneath, original, env)
            range = env["HTTP_RANGE"]
            super(beneath, original, env.merge("HTTP_RANGE" => nil)).tap { |chosen| chosen[1] = range if range&.valid_encoding? }
          end
        end
      end

      def tags_are_forgotten
        prepend_to(Frugal::Files::Representation) { def not_modified?(env) = super(env.reject { |name, _| name == "HTTP_IF_NONE_MATCH" }) }
      end

      def descriptors_leak = prepend_to(Frugal::Files::Responses) { def closed(_body) = [] }

      def dots_stay
        beneath = Frugal::Native.engine::Beneath
        prepend_to(beneath) { def open(path) = path.include?("..") ? nil : super }
      end

      private

      def prepend_to(upstream, &body) = upstream.prepend(Module.new(&body))
    end
  end
end
