# frozen_string_literal: true

require_relative "upstream_process"

# Programs with checkers of files, stock and with the drop-in.
module FileCheckers
  include UpstreamProcess

  UPSTREAMS = Caches.all("activesupport")
  LOAD = <<~'RUBY'
    require "logger"
    require "active_support"
    require "active_support/time"
    require "active_support/file_update_checker"
    require "fileutils"
    Checker = ActiveSupport::FileUpdateChecker
    def watch(files, folders = {}) = Checker.new(files, folders) { print "executed " }
    def state = Frugal::Dropin.status.find { |one| one.name == :file_update_checker }

    # Whether the drop-in itself knows that nothing has changed.
    def known?(checker)
      newest, *expected = Frugal::Dropin::FileUpdateChecker.question(checker)
      newest&.unchanged?(*expected)
    end
  RUBY
  OURS = %(#{LOAD} require "#{Frugal::TestCase::LIB}/frugal/file_update_checker"; abort state.inspect unless state.state == :on;)
  # Six files in three folders, which are older than a tick of the kernel's clock.
  TREE = <<~'RUBY'
    FileUtils.mkdir_p(%w[app/models app/views])
    %w[app/a.rb app/models/b.rb app/views/c.html.erb app/views/d.erb app/x.txt routes.rb].each { |file| File.write(file, "") }
    sleep 0.05
  RUBY

  def setup
    skip "the drop-in stands aside here" unless Frugal::Native.engine_name == :c
    skip "bin/setup --caches" if UPSTREAMS.empty?
  end

  private

  # @return [Array<String>] the output with the drop-in, and stock's
  def compare(script, tree: TREE)
    [OURS, LOAD].map do |load|
      folder = mkdir("side#{@sides = @sides.to_i + 1}")
      result = run_upstream(UPSTREAMS.last, "Dir.chdir(#{folder.inspect}); File.chmod(0o777, '.', #{self.tree.inspect}); #{load} #{tree} #{script}")
      assert result.success?, result
      result.out.gsub(folder, "")
    end
  end
end
