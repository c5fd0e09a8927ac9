# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/caches"
require_relative "jruby_case"

# The drop-ins for Sprockets and ActiveSupport's FileStore with the Java engine, see caches.rb.
class JavaCachesTest < JRubyCase
  GEMS = %w[activesupport-7 sprockets].map { |name| Caches.all("activesupport").+(Caches.all("sprockets")).grep(/\A#{name}/).last }

  def test_the_answers_of_stock
    skip "bin/setup --caches" unless GEMS.all?

    %w[a.js dir/b.css dir/.hidden dir/swap~ dir/#saved# ascii/c.js closed/file ü.js].each { |name| write(name, "text") }
    File.binwrite("#{tree}/\xFF.js".b, "bytes")
    symlink("loop", "loop")
    symlink("nowhere", "dangling")
    File.mkfifo(path("fifo"))
    File.chmod(0, path("closed"))
    result = run_jruby(*GEMS.flat_map { |gem| Caches.options(gem) }.uniq, "#{__dir__}/caches.rb", tree)
    assert_match(/\A\[:on, :on\], \d{3} answers, 0 exceptions\n\z/, result.out, result)
  ensure
    File.chmod(0o700, path("closed")) if GEMS.all?
  end
end
