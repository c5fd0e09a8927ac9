# frozen_string_literal: true

require "stringio"
require "timeout"
require_relative "../../../lib/frugal/fileutils"
require_relative "call"

module FileutilsFuzz
  # A second copy of upstream, without the drop-in.
  module Stock
    file = ::FileUtils::Entry_.instance_method(:path).source_location.first
    module_eval(File.read(file, encoding: "UTF-8"), file) # also that of literals
  end

  # What the call of one case does in a tree that is there, under stock or under the drop-in.
  class Outcome
    SIDES = { stock: Stock::FileUtils, ours: ::FileUtils }.freeze
    # A copy into itself ends only at the longest possible path. JRuby compiles meanwhile.
    SECONDS = RUBY_ENGINE == "jruby" ? 2 : 0.5
    NOBODY = 65_534

    # @param salt [Integer] the random numbers of one case are several streams
    def self.random(seed, number, salt) = Random.new((seed * 1_000_003 + number) * 16 + salt)

    def initialize(seed, number, world)
      @seed = seed
      @number = number
      @world = world
      @call = Call.new(random(4), world)
    end

    # @param side [Symbol] of SIDES
    # @param nobody [Boolean] whether to be the user nobody
    # @return [Array] the call; the result or the errors, :late; what was printed; `$!`; descriptors that are left
    def of(side, nobody)
      as_user(nobody) { in_world(SIDES.fetch(side)) }
    end

    private

    def random(salt) = Outcome.random(@seed, @number, salt)

    def in_world(fileutils)
      back = Dir.pwd
      Dir.chdir(@world)
      before = descriptors
      outcome = under(random(5)) { outcome(fileutils) }
      [@call.inspect, *outcome, descriptors - before]
    ensure
      Dir.chdir(back)
    end

    def as_user(nobody)
      return yield unless nobody

      begin
        Process::Sys.seteuid(NOBODY)
        yield
      ensure
        Process::Sys.seteuid(0)
      end
    end

    def under(random)
      mask = File.umask([0o022, 0o022, 0o000, 0o077, 0o777].sample(random: random))
      internal = Encoding.default_internal
      without_warnings { Encoding.default_internal = "EUC-JP" } if random.rand < 0.03
      yield
    ensure
      File.umask(mask)
      without_warnings { Encoding.default_internal = internal }
    end

    def without_warnings
      verbose, $VERBOSE = $VERBOSE, nil
      yield
    ensure
      $VERBOSE = verbose
    end

    def outcome(fileutils)
      out, err = $stdout, $stderr
      $stdout, $stderr = StringIO.new, StringIO.new
      value = begin
        show(Timeout.timeout(SECONDS) { @call.send_to(fileutils) })
      rescue Timeout::Error, SystemStackError
        :late
      rescue Exception => e # rubocop:disable Lint/RescueException -- those of Java are no StandardErrors
        chain(e)
      end
      [value, $stdout.string, $stderr.string, $!.inspect]
    ensure
      $stdout, $stderr = out, err
    end

    def show(value)
      [value.inspect.gsub("FileutilsFuzz::Stock::", ""), (value.encoding.to_s if value.is_a?(String)),
       value.class.name.to_s.delete_prefix("FileutilsFuzz::Stock::")]
    end

    def chain(error)
      error && [error.class.name, error.message, error.message.encoding.to_s, chain(error.cause)]
    end

    # Java opens and closes files of its own at any time.
    def descriptors
      links = Dir.children("/proc/self/fd").filter_map { |fd| File.readlink("/proc/self/fd/#{fd}").b rescue nil }
      links.select! { |link| link.start_with?(@world) } if RUBY_ENGINE == "jruby"
      links.grep_v(%r{/proc/|\A(pipe|anon)}).sort
    end
  end
end
