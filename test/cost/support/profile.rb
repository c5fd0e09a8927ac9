# frozen_string_literal: true

module CostBudget
  # What callgrind has written about one measured part.
  class Profile
    # @return [String, nil] the text of the program; nil for what lies between measured parts
    attr_reader :text
    # @return [Integer] but for {MALLOC}
    attr_reader :instructions
    # @return [Integer] system calls, but for {NOISE}
    attr_reader :calls

    # Functions whose calls depend on time, on other threads, on the state of malloc or, since Ruby asks for each folder
    # above a file that it loads, on where the checkout lies. Under valgrind a clock is a call.
    NOISE = /futex|lll_lock|pthread|start_thread|clone|sigaltstack|prctl|getentropy|clock_gettime|getpid|mmap|munmap|madvise|mprotect|brk|readlink/

    # What an allocation costs depends on the free memory at that time. Their number shows in the objects and bytes.
    MALLOC = /\A(?:malloc|calloc|realloc|c?free|unlink_chunk|sysmalloc|systrim|_int_(?:malloc|realloc|free)|tcache_)/

    # @param path [String] written with --compress-strings=no --compress-pos=no --collect-systime=yes
    def initialize(path)
      lines = File.foreach(path, chomp: true)
      @text = @instructions = nil
      @calls = 0
      @functions = Hash.new(0)
      read(lines)
      @instructions -= @functions.sum { |name, count| MALLOC.match?(name) ? count : 0 } if @instructions
    end

    # @return [Hash{String => Integer}] instructions of each function itself, the most first
    def functions = @functions.sort_by { |name, count| [-count, name] }.to_h

    private

    def read(lines)
      function = object = nil
      called = false
      lines.each do |line|
        break if @text == "unmeasured"

        case line
        when /\A\d/ then called ? called = false : count(function, line) # the line after calls= includes other functions
        when /\Afn=(.*)/ then function = name($1, object)
        when /\Aob=(.*)/ then object = File.basename($1)
        when /\Acalls=/ then called = true
        when /\Adesc: Trigger: Client Request: (.*)/ then @text = $1
        when /\Atotals: (\d+)/ then @instructions = $1.to_i
        end
      end
    end

    def count(function, line)
      _, instructions, calls = line.split
      @functions[function] += instructions.to_i
      @calls += calls.to_i unless NOISE.match?(function)
    end

    # A function without a symbol has its address as its name.
    def name(function, object) = "#{function.sub(/'\d+\z/, "")} (#{object})"
  end
end
