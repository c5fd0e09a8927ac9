# frozen_string_literal: true

# RubyGems runs this file when it installs the gem, and then rake in this folder, for which nothing is left to do. With
# an extconf.rb instead, RubyGems before 4.0 would call make, so the gem could not be installed without make.

require_relative "installation"

exit Installation.new(ARGV).call
