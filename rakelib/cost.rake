# frozen_string_literal: true

namespace :cost do
  desc "Write the figures of test/cost for this Ruby: all groups, or ONLY=a,b"
  task accept: :compile do
    require_relative "../test/cost/support/acceptance"
    CostBudget::Acceptance.new(ENV["ONLY"]&.split(",")).call
  end
end
