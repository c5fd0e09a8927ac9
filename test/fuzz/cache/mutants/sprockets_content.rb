# frozen_string_literal: true

# Mutant: the file cache takes every block for that of get.
Frugal::Dropin::Sprockets.singleton_class.class_eval do
  alias_method :original_only_reads?, :only_reads?
  def only_reads?(_block) = true
end
