# frozen_string_literal: true

module FilesFuzz
  # Bugs that the fuzzer has to find.
  module Plants

    class << self
      def links_are_followed = prepend_to(Frugal::Files) { def initialize(root, *more, **options) = super(root, *more, **options, follow_symlinks: true) }

      def ranges_of_variants
        Frugal::Files::Variants.singleton_class.prepend(Module.new { def choose(beneath, plain, env) = super(beneath, plain, env.merge("HTTP_RANGE" => nil)).tap { |chosen| chosen[1] = env["HTTP_RANGE"] } })
      end

      def tags_are_forgotten
        prepend_to(Frugal::Files::Representation) { def not_modified?(env) = super(env.reject { |name, _| name == "HTTP_IF_NONE_MATCH" }) }
      end

      def descriptors_leak = prepend_to(Frugal::Files::Answers) { def nothing(_body) = [] }

      def dots_stay
        beneath = Frugal::Native.engine::Beneath
        prepend_to(beneath) { def open(path) = path.include?("..") ? nil : super }
      end

      private

      def prepend_to(upstream, &body) = upstream.prepend(Module.new(&body))
    end
  end
end
