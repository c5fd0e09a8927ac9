# frozen_string_literal: true

# Planted bug: an action that changed files and then invokes a task, or asks it,
# gets answers from before the action.
module RakeFuzz
  module ForgottenOnlyAfterAnAction
    def forget
      super if @times.nil? || caller_locations(1, 1).first.label.include?("after_user_code")
    end
  end
end

Frugal::Native::Pure::RakePlan.prepend(RakeFuzz::ForgottenOnlyAfterAnAction)
