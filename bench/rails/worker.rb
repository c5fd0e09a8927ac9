# frozen_string_literal: true

# ruby worker.rb APPLICATION SIDE REQUESTS MARK END: prints a line of JSON. Looks for the files MARK and END before and
# after one request. It loads nothing of frugal, which would see that as a program with a Frugal of its own.
require "json"
require "rack/mock"

# The folder of one of the patterns in braces.
ROOT = %r![{,]([^{},]+)/\*\*/!

folder, side, requests, *marks = ARGV
ENV["RAILS_ENV"] = "development"
Dir.chdir(folder)
require File.join(folder, "config/application")
Rails.application.initialize!

request = lambda do
  status, _, body = Rails.application.call(Rack::MockRequest.env_for("/thing1s"))
  text = +""
  body.each { |part| text << part }
  body.close if body.respond_to?(:close)
  raise "status #{status}: #{text[0, 2000]}" unless status == 200

  text
end
cpu = lambda do |times, &block|
  start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
  times.times(&block)
  (Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - start) / times
end

ActiveSupport::FileUpdateChecker.define_method(:updated?) { false } if side == "free"
sleep 0.1 # until the generated files are older than a tick of the kernel's clock
3.times { request.call }
checkers = ObjectSpace.each_object(ActiveSupport::FileUpdateChecker).to_a
File.exist?(marks.first)
text = request.call
File.exist?(marks.last)

paths = checkers.flat_map do |checker|
  watched, files, globs = %i[@last_watched @files @glob].map { |name| checker.instance_variable_get(name) }
  roots = globs.to_s.scan(ROOT)
  folders = roots.flatten.flat_map { |root| [root, *Dir.glob("#{root}/**/").map { |path| path.chomp("/") }] }
  watched + files + folders
end
measured = cpu.call(requests.to_i) { request.call }
checks = cpu.call(requests.to_i) { checkers.each(&:updated?) }
puts JSON.generate(request: measured, checks: checks, watched: paths.uniq.size, checkers: checkers.size, body: text.size)
