# frozen_string_literal: true

require_relative "outcome"
require_relative "snapshot"

module FileutilsFuzz
  # One case: the same tree and the same call under stock and under the drop-in.
  class Run
    # @param ruby [JRuby, nil] the process that makes the calls; nil: this one
    def initialize(seed, number, home, ruby = nil)
      @seed = seed
      @number = number
      @world = "#{home}/w"
      @ruby = ruby
    end

    # @return [Array, Symbol, nil] the call, stock's results and ours, where they differ; :late; or nil
    def difference(one = :stock, two = :ours)
      (call, *stock), (_, *ours) = [one, two].map { |side| result(side) }
      return :late if [stock, ours].any? { |result| result.first == :late }
      return if stock == ours

      [call, stock, ours]
    end

    private

    def random(salt) = Outcome.random(@seed, @number, salt)

    def result(side)
      nobody = random(1).rand < 0.85 && Process.uid.zero?
      make(nobody)
      result = outcome(side, nobody)
      result << (Snapshot.of(@world) unless result[1] == :late)
    ensure
      clear
    end

    def outcome(side, nobody)
      return @ruby.outcome(@seed, @number, @world, side, nobody) if @ruby

      Outcome.new(@seed, @number, @world).of(side, nobody)
    end

    def make(nobody)
      Dir.mkdir(@world)
      File.chown(Outcome::NOBODY, Outcome::NOBODY, @world) if nobody
      Process::Sys.seteuid(Outcome::NOBODY) if nobody
      back = Dir.pwd
      Dir.chdir(@world)
      %w[t u].each_with_index { |name, index| Tree.new(random(2 + index)).make(name) }
    ensure
      Dir.chdir(back) if back
      Process::Sys.seteuid(0) if nobody
    end

    def clear
      system("chmod", "-R", "u+rwx", @world, err: File::NULL) unless Process.uid.zero?
      system("rm", "-rf", @world)
    end
  end
end
