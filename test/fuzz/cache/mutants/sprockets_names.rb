# frozen_string_literal: true

# Mutant: a change of the default encodings is not noticed.
Frugal::Dropin::Sprockets.singleton_class.class_eval do
  alias_method :original_same_encoding?, :same_encoding?
  def same_encoding? = true
end
