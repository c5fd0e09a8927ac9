# frozen_string_literal: true

# The process of java_caches_test.rb: asks Sprockets and ActiveSupport's FileStore the same questions without and with
# the drop-ins, and prints each answer that differs.
#
#   jruby caches.rb TREE
require "jruby"
require "logger"
require "active_support"
require "active_support/cache"
require "active_support/core_ext/object/blank"
require "active_support/notifications"
require "sprockets"
require "frugal"

tree = ARGV.first
Sprockets::Cache::FileStore.name
ActiveSupport::Cache::FileStore.name
names = ["a.js", "a.js/", "a.js/below", "dir", "dir/", "dir/../a.js", "missing/../a.js", "ascii", "closed/file", "loop", "loop/x",
         "dangling", "", ".", "missing", "\u00fc.js", "\xFF.js", "n" * 300, "x/" * 3000, "x\0y", "fifo"]
paths = names.flat_map { |name| [name, "#{tree}/#{name}"] } + [nil, 1, "a.js".encode("UTF-16LE"), "/dev/null", "uri:classloader:/META-INF"]
utils = Sprockets::PathUtils
logged = []
logger = Logger.new(StringIO.new)
logger.formatter = ->(_, _, _, text) { logged << text && "" }
ActiveSupport::Cache::Store.logger = logger

shown = lambda do |answer|
  case answer
  when File::Stat then [answer.ftype, answer.size, answer.ino, answer.mode, answer.mtime]
  when Array then answer.map { |one| [one, String === one && one.encoding, one.frozen?] }
  else answer
  end
end
outcome = lambda do |question|
  logged.clear
  answer = begin
    shown.call(question.call)
  rescue StandardError => e
    [e.class, e.message]
  end
  [answer, logged].inspect
end

answers = lambda do
  cache = Sprockets::Cache::FileStore.new("#{tree}/assets", 40_000, logger)
  store = ActiveSupport::Cache::FileStore.new("#{tree}/store")
  asked = paths.flat_map { |path| %i[stat file? directory? entries].map { |name| [[name, path], -> { utils.public_send(name, path) }] } }
  asked += ["key", "missing", "torn", "n" * 300, "x\0y", "\u00fc"].flat_map do |key|
    [[[:get, key], -> { cache.get(key) }], [[:read, key], -> { store.read(key) }], [[:exist?, key], -> { store.exist?(key) }]]
  end
  asked.to_h { |name, question| [name, outcome.call(question)] }
end

Dir.chdir(tree)
Sprockets::Cache::FileStore.new("#{tree}/assets").tap { |cache| ["key", "torn"].each { |key| cache.set(key, { "a" => [1] }) } }
ActiveSupport::Cache::FileStore.new("#{tree}/store").tap { |store| ["key", "torn", "\u00fc"].each { |key| store.write(key, [1, "x" * 3000]) } }
Dir.glob("#{tree}/{assets,store}/**/*torn*").each { |file| File.truncate(file, 5) if File.file?(file) }

stock = answers.call
on = %i[sprockets active_support].map { |name| Frugal.enable(name) }
ours = answers.call
stock.each { |question, answer| puts "#{question}: #{answer}, with the drop-in #{ours[question]}" unless ours[question] == answer }

exceptions = -> { JRuby.runtime.getExceptionCount }
before = exceptions.call
100.times { utils.stat("missing") || utils.entries("missing").first }
puts "#{on.inspect}, #{stock.size} answers, #{exceptions.call - before} exceptions"
