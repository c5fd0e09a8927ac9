# frozen_string_literal: true

require_relative "../test_helper"
require "frugal/profile/report/origin"

class ProfileReportOriginTest < Frugal::TestCase
  ORIGINS = {
    "/app/lib/a.rb" => "the program", nil => "the program", "(eval)" => "the program", "/app/gems/a.rb" => "the program",
    "/usr/lib/ruby/gems/3.1.0/gems/rake-13.0.6/lib/rake.rb" => "rake 13.0.6", "/a/gems/a-b-2.0.0.pre1/x.rb" => "a-b 2.0.0.pre1",
    "/v/ruby/3.1.0/bundler/gems/rails-0123456789ab/x.rb" => "rails 0123456789ab", "/a/gems/caf\xE9-1.0/x.rb" => "caf\uFFFD 1.0",
    "/usr/lib/ruby/vendor_ruby/rubygems/util.rb" => "RubyGems", "/usr/lib/ruby/vendor_ruby/rubygems.rb" => "RubyGems",
    "/usr/lib/ruby/3.1.0/bundler/setup.rb" => "Bundler", "/usr/lib/ruby/3.1.0/find.rb" => "Ruby's libraries",
    "<internal:dir>" => "Ruby"
  }.freeze

  def test_whose_file_it_is
    ORIGINS.each { |file, origin| assert_equal origin, Frugal::Profile::Report::Origin.of(file), file.inspect }
  end
end
