# frozen_string_literal: true

require "stringio"
require "timeout"
require_relative "../../../lib/frugal/fileutils"
require_relative "call"
require_relative "snapshot"

module FileutilsFuzz
  # A second copy of upstream, without the drop-in.
  module Stock
    file = ::FileUtils::Entry_.instance_method(:path).source_location.first
    module_eval(File.read(file), file)
  end

  # One case: the same tree and the same call under stock and under the drop-in.
  class Run
    STOCK = Stock::FileUtils
    OURS = ::FileUtils
    SECONDS = 0.5 # a copy into itself ends only at the longest possible path
    NOBODY = 65_534

    def initialize(seed, number, home)
      @seed = seed
      @number = number
      @world = "#{home}/w"
    end

    # @return [Array, Symbol, nil] the call, stock's results and ours, where they differ; :late; or nil
    def difference(one = STOCK, two = OURS)
      results = [one, two].map { |fileutils| result(fileutils) }
      return :late if results.any? { |result| result.first == :late }
      return if results.first == results.last

      [@call.inspect, *results]
    end

    private

    def random(salt) = Random.new((@seed * 1_000_003 + @number) * 16 + salt)

    def result(fileutils)
      Dir.mkdir(@world)
      as_user(random(1).rand < 0.85) { in_world(fileutils) } << Snapshot.of(@world)
    ensure
      clear
    end

    def in_world(fileutils)
      back = Dir.pwd
      Dir.chdir(@world)
      %w[t u].each_with_index { |name, index| Tree.new(random(2 + index)).make(name) }
      @call = Call.new(random(4), @world)
      before = descriptors
      outcome = under(random(5)) { outcome(fileutils) }
      [*outcome, descriptors - before]
    ensure
      Dir.chdir(back)
    end

    def as_user(nobody)
      return yield unless nobody && Process.uid.zero?

      File.chown(NOBODY, NOBODY, @world)
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
      rescue StandardError => e
        chain(e)
      end
      [value, $stdout.string, $stderr.string, $!]
    ensure
      $stdout, $stderr = out, err
    end

    def show(value)
      [value.inspect.gsub("FileutilsFuzz::Stock::", ""), (value.encoding if value.is_a?(String)),
       value.class.name.to_s.delete_prefix("FileutilsFuzz::Stock::")]
    end

    def chain(error)
      error && [error.class, error.message, error.message.encoding, chain(error.cause)]
    end

    def descriptors
      links = Dir.children("/proc/self/fd").filter_map { |fd| File.readlink("/proc/self/fd/#{fd}").b rescue nil }
      links.grep_v(%r{/proc/|\A(pipe|anon)}).sort
    end

    def clear
      system("chmod", "-R", "u+rwx", @world, err: File::NULL) unless Process.uid.zero?
      system("rm", "-rf", @world)
    end
  end
end
