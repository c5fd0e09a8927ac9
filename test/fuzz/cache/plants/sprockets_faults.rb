# frozen_string_literal: true

# What cannot be reached raises.
Sprockets::PathUtils.class_eval do
  alias_method :right_stat, :stat
  def stat(path) = path.instance_of?(String) ? Frugal.stat(path) : right_stat(path)
end
