# frozen_string_literal: true

# Mutant: what `updated?` has found, and `execute` has not done yet, is not looked at.
Frugal::Dropin::FileUpdateChecker.singleton_class.class_eval do
  alias_method :original_variables, :variables
  def variables(checker, *names) = names == %i[@watched @updated_at] ? [] : original_variables(checker, *names)
end
