# frozen_string_literal: true

require_relative "../test_helper"
require "frugal/profile/origins"
require "tmpdir"

class ProfileOriginsTest < Frugal::TestCase
  Origins = Frugal::Profile::Origins
  OWN = Origins::PROGRAM
  ORIGINS = {
    "/app/lib/a.rb" => [OWN, "lib/a.rb"], "/app/gems/a.rb" => [OWN, "gems/a.rb"], "/app/bin/rails" => [OWN, "bin/rails"],
    "/app/lib/rubygems/a.rb" => [OWN, "lib/rubygems/a.rb"], "/application/a.rb" => [OWN, "/application/a.rb"],
    "/engine/a.rb" => [OWN, "/engine/a.rb"], "-e" => [OWN, "-e"], "(eval)" => [OWN, "(eval)"],
    "/app/vendor/bundle/ruby/3.1.0/gems/rake-13.0.6/lib/rake/task.rb" => ["rake 13.0.6: rake/task.rb"],
    "/app/.rbenv/versions/3.3.0/lib/ruby/3.3.0/find.rb" => ["Ruby's find.rb"],
    "/usr/lib/ruby/gems/3.1.0/gems/rake-13.0.6/exe/rake" => ["rake 13.0.6: exe/rake"],
    "/a/gems/a-b-2.0.0.pre1/x.rb" => ["a-b 2.0.0.pre1: x.rb"],
    "/v/ruby/3.1.0/bundler/gems/rails-0123456789ab/x.rb" => ["rails 0123456789ab: x.rb"],
    "/a/gems/caf\xE9-1.0/x.rb" => ["caf\xE9 1.0: x.rb"],
    "/usr/lib/ruby/vendor_ruby/rubygems/util.rb" => ["rubygems/util.rb"], "/usr/lib/ruby/vendor_ruby/rubygems.rb" => ["rubygems.rb"],
    "/usr/lib/ruby/3.1.0/bundler/setup.rb" => ["bundler/setup.rb"], "/usr/lib/ruby/3.1.0/find.rb" => ["Ruby's find.rb"],
    "/usr/lib/ruby/vendor_ruby/rake/task.rb" => ["Ruby's rake/task.rb"], "/usr/bin/rake" => ["/usr/bin/rake"],
    "<internal:dir>" => ["<internal:dir>"]
  }.freeze

  def test_whose_file_it_is
    origins = Origins.new("/app")
    ORIGINS.each do |file, expected|
      origin = origins.of(file)
      assert_equal expected, expected.size == 1 ? [origin.to_s] : origin.to_a, file.inspect
      assert_equal expected.first == OWN && file != "(eval)", origins.own?(file), file.inspect
    end
  end

  def test_what_lies_in_the_project
    origins = Origins.new("/app/")
    assert_equal [true, false, false, false], %w[/app/a.rb /engine/a.rb /app/vendor/bundle/a.rb -e].map { |file| origins.inside?(file) }
  end

  def test_a_current_folder_that_is_gone
    Dir.mktmpdir do |folder|
      gone = File.join(File.realpath(folder), "gone")
      script = "Dir.mkdir(ARGV[0]); Dir.chdir(ARGV[0]); Dir.rmdir(ARGV[0]); require 'frugal/profile/origins'; " \
               "print Frugal::Profile::Origins.new.of(ARGV[0] + '/a.rb').to_s"
      texts = [{ "PWD" => gone }, { "PWD" => nil }].map { |env| IO.popen([env, RUBY, "-I", LIB, "-e", script, gone], &:read) }
      assert_equal ["a.rb", "#{gone}/a.rb"], texts
    end
  end

  # All files are in the root folder, but they are not the program's.
  def test_a_project_in_the_root_folder
    origins = Origins.new("/")
    assert_equal [true, false, false], %w[/a.rb /usr/lib/ruby/3.1.0/find.rb /gems/a-1.0/a.rb].map { |file| origins.own?(file) }
  end
end
