# frozen_string_literal: true

require "io/wait"
require_relative "../support/hang"

# A JVM that runs many command lines of JRuby, one after the other, for the tests of a process; see jvm_process.rb.
#
#   JVM.of("C.UTF-8").run(%w[-W0 -e print(1)], ENV.to_h, Dir.pwd)  # => [0, "1", ""]
class JVM
  JRUBY = File.expand_path("../support/jruby", __dir__)
  LIMIT = 240 # seconds until it is asked whether the JVM hangs

  @all = {}

  class << self
    # @param locale [String] that of Java: it reads names of files in its encoding
    def of(locale)
      Minitest.after_run { close_all } if @all.empty?
      @all[locale] ||= new(locale)
    end

    private

    def close_all = @all.each_value(&:close).clear
  end

  def initialize(locale)
    env = { "RUBYOPT" => nil, "RUBYLIB" => nil, "JRUBY_OPTS" => nil, "JAVA_OPTS" => nil, "LC_ALL" => locale }
    @io = IO.popen(env, [JRUBY, "#{__dir__}/jvm_process.rb"], "r+b")
  end

  # @return [Array(Integer, String, String)] status, output, errors
  # @raise [RuntimeError] if it hangs; then the JVM has been ended
  def run(arguments, environment, directory)
    @io.write(Marshal.dump([arguments, environment, directory]))
    hang = Hang.new(@io.pid, LIMIT)
    loop do
      return Marshal.load(@io) if @io.wait_readable(1)
      break if hang.found?
    end
    Process.kill(:KILL, @io.pid)
    raise "still running, and #{hang.reason}: jruby #{arguments.join(" ")}"
  end

  def close = @io.close
end
