# frozen_string_literal: true

require_relative "../../support/sinatras"
require_relative "../sides"

module SinatraFuzz
  # Cases of one version of Sinatra, one of {Sinatras.all}.
  class Campaign < Fuzz::Sides
    SIDE = File.expand_path("side.rb", __dir__)

    private

    def arguments(side, numbers, home) = [*Sinatras.options(@upstream), SIDE, side, @seed.to_s, numbers.to_a.join(","), home]
  end
end
