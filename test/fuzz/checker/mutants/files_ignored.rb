# frozen_string_literal: true

# Mutant: files that are given by name are not asked.
Frugal::Dropin::FileUpdateChecker::Question.class_eval do
  alias_method :original_newest, :newest
  def newest(folders)
    @names = []
    original_newest(folders)
  end
end
