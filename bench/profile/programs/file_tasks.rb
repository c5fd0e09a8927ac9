# frozen_string_literal: true

# Rake with files that are all up to date. Stock asks whether a file exists, and again, and for its time; the change
# asks for the time, and rescues a miss.
require "rake"

side = ARGV.fetch(0)
size = ARGV.fetch(1).to_i
if side == "prepare"
  %w[header source object].each { |name| Dir.mkdir(name) }
  20.times { |number| File.write("header/#{number}.h", "") }
  size.times { |number| File.write("source/#{number}.c", "") }
  size.times { |number| File.write("object/#{number}.o", "") }
  return
end

if side == "changed"
  Rake::FileTask.class_eval do
    def needed?
      stamp = timestamp
      stamp.equal?(Rake::LATE) || out_of_date?(stamp) || @application.options.build_all
    end

    def timestamp
      File.mtime(name.to_s)
    rescue Errno::ENOENT
      Rake::LATE
    end
  end
end
Rake.application.init("rake", ["-s"])
size.times do |number|
  headers = Array.new(3) { |other| "header/#{(number + other) % 20}.h" }
  Rake::FileTask.define_task("object/#{number}.o" => ["source/#{number}.c", *headers]) { raise "not up to date" }
end
Rake::Task.define_task(default: Array.new(size) { |number| "object/#{number}.o" })
Rake.application.top_level
