# frozen_string_literal: true

# Mutant: an answer is kept for ever.
Frugal::Dropin::FileUpdateChecker::Question.class_eval do
  alias_method :original_unchanged?, :unchanged?
  def unchanged?(count, time) = @kept ||= original_unchanged?(count, time)
end
