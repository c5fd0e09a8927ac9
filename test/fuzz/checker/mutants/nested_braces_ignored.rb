# frozen_string_literal: true

# Mutant: of nested braces, only the first alternative is watched.
Frugal::Dropin::FileUpdateChecker::Patterns.singleton_class.class_eval do
  alias_method :original_alternatives, :alternatives
  def alternatives(text) = original_alternatives(text)&.first(1)
end
