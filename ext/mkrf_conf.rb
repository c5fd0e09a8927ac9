# frozen_string_literal: true

# RubyGems runs this file when it installs the gem, and then rake in this folder, for which nothing is left to do.
# After an extconf.rb, RubyGems before 4.0 calls make, so that no gem with one can be installed where there is no make.

require_relative "installation"

exit Installation.new(ARGV).call
