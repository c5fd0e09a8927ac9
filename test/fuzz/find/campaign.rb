# frozen_string_literal: true

require "tmpdir"
require_relative "run"

module FindFuzz
  # Runs many cases in one child process, as the user nobody, since root can read everything.
  class Campaign
    NOBODY = 65_534

    def initialize(seed:, control: false)
      @seed = seed
      @control = control
    end

    # @param numbers [Enumerable<Integer>] of the cases
    # @return [String, nil] the first difference
    def run(numbers)
      return Dir.mktmpdir("find-fuzz-") { |home| search(home, numbers) } unless Process.respond_to?(:fork)

      reader, writer = IO.pipe
      pid = fork do
        reader.close
        found = Dir.mktmpdir("find-fuzz-") { |home| search(home, numbers) }
        writer.write(Marshal.dump(found))
        exit!(true)
      end
      writer.close
      bytes = reader.read
      Process.wait(pid)
      bytes.empty? ? "the process ended: #{$?}" : Marshal.load(bytes)
    end

    private

    def search(home, numbers)
      become_nobody(home)
      numbers.each do |number|
        run = Run.new(@seed, number, home)
        found = @control ? run.difference(Run::STOCK, Run::STOCK) : run.difference
        return report(number, *found) if found
      end
      nil
    ensure
      Process::Sys.seteuid(0) if Process.uid.zero? && RUBY_ENGINE == "ruby"
    end

    def become_nobody(home)
      return if !Process.uid.zero? || RUBY_ENGINE == "jruby" # which is started as nobody

      File.chown(NOBODY, NOBODY, home)
      Process::Sys.seteuid(NOBODY)
    end

    def report(number, stock, ours)
      parts = %w[outcome yields descriptors tree].each_with_index.filter_map do |part, index|
        next if stock[index] == ours[index]
        next "#{part}: stock #{stock[index].inspect}, ours #{ours[index].inspect}" unless index == 1

        at = stock[1].zip(ours[1]).index { |one, two| one != two } || stock[1].size
        "yields: from #{at} on, stock #{stock[1][at, 4].inspect}, ours #{ours[1][at, 4].inspect}"
      end
      ["case #{number} of seed #{@seed} differs", *parts].join("\n")
    end
  end
end
