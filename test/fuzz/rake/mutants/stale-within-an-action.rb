# frozen_string_literal: true

# Mutant: an action that changed files and then invokes or queries a task gets answers
# from before the action.
module RakeFuzz
  module StaleWithinAnAction
    def invalidate
      super if @times.nil? || caller_locations(1, 1).first.label.include?("after_user_code")
    end
  end
end

Frugal::Native::Pure::RakePlan.prepend(RakeFuzz::StaleWithinAnAction)
