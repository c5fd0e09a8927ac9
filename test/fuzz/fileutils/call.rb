# frozen_string_literal: true

require "pathname"
require_relative "tree"

module FileutilsFuzz
  # A random call: a receiver, a method, its arguments and options. It can be sent to
  # stock FileUtils and to FileUtils with the drop-in.
  class Call
    RECEIVERS = %i[itself itself itself itself itself object Verbose NoWrite DryRun].freeze
    MAKE = %i[mkdir_p mkdir_p mkpath makedirs].freeze
    REMOVE = %i[rm_rf rm_rf rm_rf rm_r rm_r rmtree rm rm_f remove_entry remove_entry remove_dir remove_file
                remove_entry_secure].freeze
    COPY = %i[cp_r cp_r cp_r cp_r copy_entry copy_entry mv ln_sf].freeze
    MODES = [nil, nil, 0o700, 0o000, 0o1777, 0o755, 0o555, "0755", "u+x", -1, 0o100755, nil].freeze
    UNUSUAL = ["new", "n" * 300, "..", ".", ""].freeze
    FLAGS = [nil, true, true, false, 1].freeze

    def initialize(random, world)
      @random = random
      @world = world
      @receiver = pick(RECEIVERS)
      @method, @arguments, @options = __send__(pick(%i[make remove remove copy copy]))
      @options = @options.select { @random.rand < 0.25 } unless @random.rand < 0.02
    end

    # @param fileutils [Module]
    def send_to(fileutils)
      receiver(fileutils).__send__(@method, *copies(@arguments), **@options)
    end

    def inspect = "#{@receiver}.#{@method}(#{@arguments.inspect[1..-2]}, #{@options})"

    private

    def pick(list) = list.sample(random: @random)

    def receiver(fileutils)
      case @receiver
      when :itself then fileutils
      when :object then Object.new.extend(fileutils)
      else fileutils.const_get(@receiver)
      end
    end

    # Each side gets its own copies, since a call may change a string.
    def copies(argument)
      case argument
      when Array then argument.map { |one| copies(one) }
      when String then argument.dup
      else argument
      end
    end

    def make
      [pick(MAKE), [list(1..5)], { mode: pick(MODES), noop: flag, verbose: flag }]
    end

    def remove
      method = pick(REMOVE)
      return [method, removal_arguments, {}] if method.start_with?("remove")

      options = { noop: flag, verbose: flag }
      options[:force] = flag if %i[rm rm_r].include?(method)
      options[:secure] = flag if %i[rm_r rm_rf rmtree].include?(method)
      [method, [list(0..3)], options]
    end

    def removal_arguments = [path(0..3), *(pick([true, true, false, nil]) if @random.rand < 0.6)]

    def copy
      method = pick(COPY)
      case method
      when :copy_entry
        [method, [path(0..2), path(0..3), *Array.new(@random.rand(0..3)) { pick([true, false, false, nil]) }], {}]
      when :mv, :ln_sf then [method, [list(1..2), path(0..2)], { verbose: flag, noop: flag }]
      else
        options = { preserve: flag, dereference_root: pick([true, false, nil]), remove_destination: flag,
                    noop: flag, verbose: flag }
        [method, [list(0..2), pick([path(0..3), "u", "t/new", "u/new"])], options]
      end
    end

    def flag = pick(FLAGS)

    def list(depths)
      case @random.rand(12)
      when 0 then Array.new(@random.rand(0..3)) { path(depths) }
      when 1 then [path(depths), [path(depths)]]
      when 2 then pick([nil, 1, :a, Object, "t/a\0", "".encode("UTF-16LE"), "t".encode("UTF-16LE"),
                        Struct.new(:to_path).new(path(depths)), Struct.new(:to_str).new("t/a")])
      else path(depths)
      end
    end

    def path(depths)
      names = Array.new(@random.rand(depths)) { pick(@random.rand < 0.9 ? Tree::NAMES : UNUSUAL) }
      # Never above the folder of the case.
      names.map! { |name| name == ".." ? "." : name } if names.count("..") > names.size / 2
      spelled([pick(%w[t t t u]), *names].join("/"))
    end

    # Another way to write the path, now and then.
    def spelled(path)
      case @random.rand(24)
      when 0, 1 then "#{path}/"
      when 2 then "./#{path}"
      when 3 then "#{@world}/#{path}"
      when 4 then Pathname(path)
      when 5 then path.b
      when 6 then path.ascii_only? ? path.encode("US-ASCII") : path
      when 7 then path.dup.force_encoding("EUC-JP")
      when 8 then "#{path}//"
      when 9 then "#{path}/."
      when 10 then Class.new(String).new(path)
      when 11 then pick(["", ".", "nothing/at/all", "~", "x" * 5000, "t"])
      else path
      end
    end
  end
end
