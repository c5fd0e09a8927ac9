# frozen_string_literal: true

# Requires: logger active_support active_support/file_update_checker

File.write("a.rb", "")
checker = ActiveSupport::FileUpdateChecker.new([], Dir.pwd => ["rb"]) { puts "changed" }
checker.updated? and abort "nothing has changed"
File.write("b.rb", "")
checker.execute_if_updated or abort "a file was added"
