# frozen_string_literal: true

# Loaded with -r by a JRuby that builds a tree. Where FRUGAL_PHASES is the path of a file, writes the processor seconds
# that were used until the end of each phase into it: by the thread that runs Rake, and by frugal's threads, which help
# it. The threads that compile and collect garbage are not counted. The tree's Rakefile says where a phase ends.
module RakePhaseClock
  class << self
    def start
      @rake = File.readlink("/proc/thread-self") # such as 7/task/8
      @seconds = {}
      at_exit do
        reach("build")
        File.write(ENV.fetch("FRUGAL_PHASES"), @seconds.map { |phase, seconds| "#{phase} #{seconds}\n" }.join)
      end
    end

    def reach(phase)
      @seconds[phase] = ["/proc/#{@rake}", *helpers].sum { |task| File.read("#{task}/schedstat").to_i } / 1e9 if @seconds
    end

    private

    def helpers
      Dir.children("/proc/self/task").map { |task| "/proc/self/task/#{task}" }.select do |task|
        File.read("#{task}/comm").start_with?("frugal")
      rescue SystemCallError
        false # it has ended
      end
    end
  end

  start if ENV["FRUGAL_PHASES"] && File.readable?("/proc/thread-self/schedstat")
end
