# frozen_string_literal: true

# Mutant: a path that cannot be reached raises.
Sprockets::PathUtils.class_eval do
  alias_method :original_stat, :stat
  def stat(path) = path.instance_of?(String) ? Frugal.stat(path) : original_stat(path)
end
