# frozen_string_literal: true

require_relative "../native"

module Frugal
  module Dropin
    # The Ruby code of a method that replaces one of upstream's, compiled so that it looks like upstream's: with the
    # path and the lines of upstream's method. A backtrace, `caller`, `warn uplevel: 1` and `Method#source_location`
    # then show what they show with stock.
    #
    #   EntryMethod.new(Dropin::Find, <<~'RUBY').compile(Find.instance_method(:find)).call(Find)
    #     def find(*paths, ignore_error: true)
    #       return frugal_stock_find(*paths, ignore_error: ignore_error, &THE_BLOCK) unless …
    #       # +5
    #       roots.each do |path|
    #     …
    #   RUBY
    #
    # - `# +5` puts the following lines, joined by semicolons, in the fifth line after `def` in upstream's file. Such
    #   a mark is needed where code of the program may run.
    # - `return frugal_stock_…` is a tail call: upstream's method takes the place of this one's frame, so that errors
    #   and callbacks have stock's frames exactly. (Not in code with `ensure` or `rescue`. Not under JRuby.)
    # - `&THE_BLOCK` passes the block of a method that has no parameter for it.
    #
    # And with the fallback to upstream's method: drop-ins do not write it themselves.
    #
    #   def stat(path) = or_stock(false) { Dropin::Sprockets.stat(path) }
    #
    # - `or_stock(DECLINED) { OWN CODE }`, once in a method, alone in its line, after `VALUE =` or as the body: if this
    #   code fails ({OwnFailure}) or its result is DECLINED (without it: nil or false), the method returns what
    #   upstream's returns for the current values of the parameters, and for the block. Upstream's method is called
    #   outside of the rescue, so `$!` and `cause` are as with stock. In the braces are calls of methods in frugal's
    #   files: an error in the entry method's own code seems to be raised in upstream.
    # - A `**` without a name is not passed on: upstream ignores these keywords.
    class EntryMethod
      MARK = /^ *# \+(\d+)\n/
      COMMENT = /^ *#.*\n/
      BLOCK = "&THE_BLOCK"
      # Replaced by a block that yields, with one more frame, if the engine cannot find the program's block.
      YIELDING = /, &THE_BLOCK\)/
      TAIL_CALLS = { tailcall_optimization: true }.freeze
      COMPILE = (::RubyVM::InstructionSequence.method(:compile) if Platform::MRI)
      # Under `frugal run`, a program may define its own Frugal.
      ROOT = Loader.frugal_run? ? "FrugalRuntime" : "Frugal"
      private_constant :ROOT, :MARK, :COMMENT, :BLOCK, :YIELDING, :TAIL_CALLS, :COMPILE

      # *Cost*: open, fstat, read, close
      READ = ->(file) { OPEN.call(file) { |io| io.sysread(MAX_BYTES) }.force_encoding(::Encoding::UTF_8) }
      OPEN = ::File.method(:open)
      MAX_BYTES = 1 << 16
      private_constant :READ, :OPEN, :MAX_BYTES

      @files = {} # the lines of the files that were read: a file has several methods

      class << self
        # The code of a method in one of frugal's files. `end` of the method has the indentation of its `def`.
        #
        # @param scope [Module] in which the method is defined
        # @param method [UnboundMethod]
        # @return [EntryMethod]
        # @raise [SystemCallError] if the file cannot be read
        def of(scope, method)
          file, line = method.source_location
          lines = @files[file] ||= READ.call(file).lines
          first = lines[line - 1]
          return new(scope, first) if first.match?(/\A *def [^\s(]+(?:\(.*\))? = /)

          lines = lines.drop(line - 1)
          size = lines.index("#{first[/\A */]}end\n") or raise UsageError, "#{file}:#{line}: a method without its end"
          new(scope, lines.first(size + 1).join)
        end

        # Whether the engine finds the block of a method.
        def block?
          return @block unless @block.nil?

          known = proc {}
          @block = Native.engine_name == :c && probe(&known).equal?(known)
        end

        private

        def probe = Native.engine.block_of {}
      end

      # @param scope [Module] a module of frugal, whose constants the code uses
      # @param code [String]
      def initialize(scope, code)
        @scope = scope
        @code = code.include?(" or_stock") ? with_fallback(code) : code
      end

      # @param stock [UnboundMethod] upstream's method
      # @return [Proc] defines the method in a Module
      # @raise [SyntaxError]
      def compile(stock)
        path, line = stock.source_location
        scopes = [ROOT, *@scope.name.split("::").drop(1)]
        text = "#{scopes.map { |name| "module #{name};" }.join}->(target) { " \
               "::Module.instance_method(:class_eval).bind_call(target) { #{placed}\n} }" \
               "#{";end" * scopes.size}"
        return COMPILE.call(text, path, path, line, **TAIL_CALLS).eval if compiles?

        ::Kernel.eval(text, ::TOPLEVEL_BINDING, path, line) # rubocop:disable Security/Eval -- our own code
      end

      private

      # Regexps would cost more, and this is done whenever a drop-in is installed.
      def with_fallback(code)
        start, rest = code.split(" or_stock", 2)
        declined, own = rest.split(" { ", 2)
        own, rest = own.split(" }\n", 2)
        before, _, target = start.rpartition("\n")
        before, target, tail = target.delete_suffix(" ="), "own =", "; own; end" if before.empty?
        condition, otherwise = declined.empty? ? %w[unless nil] : ["if #{declined} ==", declined]
        "#{before}#{tail ? ";" : "\n"}return #{stock_call(before, code)} #{condition} " \
          "(#{target} begin; #{own}; rescue OwnFailure; #{otherwise}; end)#{tail}\n#{rest}"
      end

      def stock_call(head, code)
        name, passed = head.match(/def ([^ (\n]+)(?:\((.*?)\))?/).captures
        passed = passed.to_s.delete_suffix(", **")
        passed = passed.gsub(/([a-z_]+): [^,]+/, '\1: \1').gsub(/ = [^,]+/, "") if passed.include?(" ")
        passed += ", #{BLOCK}" if code.include?("yield") && !passed.include?("&")
        "frugal_stock_#{name}(#{passed})"
      end

      # From Ruby 4.0 on, Coverage includes code that is compiled this way, but evaluated code only if requested.
      def compiles?
        COMPILE && (::RUBY_VERSION.to_f < 4.0 || !(coverage = Constants.loaded("Coverage")) || !coverage.running?)
      end

      # The code, with its parts in the lines of upstream's method.
      def placed
        code = EntryMethod.block? ? @code.gsub(BLOCK, "&::Frugal::Native::C.block_of {}") : yielding
        return code unless MARK.match?(code)

        first, *others = code.split(MARK)
        at = 0
        others.each_slice(2).with_object(one_line(first)) do |(line, part), text|
          text << ("\n" * (line.to_i - at)) << one_line(part)
          at = line.to_i
        end
      end

      def yielding = @code.gsub(YIELDING, ") { |value| yield(value) }")

      def one_line(text) = text.gsub(COMMENT, "").gsub(/^ +/, "").tr("\n", ";")
    end
  end
end
