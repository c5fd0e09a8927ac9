# frozen_string_literal: true

# Mutant: a double of File is not noticed.
Frugal::Dropin::ActiveSupport.singleton_class.class_eval do
  alias_method :original_core?, :core?
  def core? = true
end
