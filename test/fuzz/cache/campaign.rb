# frozen_string_literal: true

require_relative "../../support/caches"
require_relative "../sides"

module CacheFuzz
  # Cases of one version of ActiveSupport or Sprockets, one of {Caches.all}.
  class Campaign < Fuzz::Sides
    SIDE = File.expand_path("side.rb", __dir__)

    private

    def arguments(side, numbers, home)
      kind = @upstream.start_with?("sprockets") ? "sprockets" : "active_support"
      [*Caches.options(@upstream), SIDE, kind, side, @seed.to_s, numbers.to_a.join(","), home]
    end
  end
end
