# frozen_string_literal: true

# `frugal run` loads this file into every Ruby process, by RUBYOPT. It must parse in Ruby 2.0,
# as a child process may be an old Ruby, and does nothing in an unsupported Ruby.
# autorun/ruby.rb or jruby.rb comes next.
#
# *Cost*: a `require` of this file; a read of the bytecode (4 calls), three stats.
off = ENV["FRUGAL"].to_s.b =~ /\A(?:0|off|no|false)\z/i # as in dropin/switch.rb
again = defined?(Frugal::Parts.need) # a second -r loads this file again, as it is not a feature
mri = RUBY_ENGINE == "ruby"
known = (mri || RUBY_ENGINE == "jruby") && RUBY_VERSION.to_f >= 3.1
if known && defined?(Frugal::Dropin.enable) && !again
  require "#{__dir__}/autorun/#{RUBY_ENGINE}.rb" # a drop-in of the program waits for its upstream
elsif known
  # The program must not see this file in $LOADED_FEATURES. The next script is compiled when
  # this `require` is over. (An event of methods or lines would slow down all code for ever.)
  file = __FILE__
  loaded = mri && TracePoint.new(:script_compiled) do
    loaded.disable
    off ? $LOADED_FEATURES.delete(file) : Frugal::Parts.conceal(file)
  end

  unless off || again
    module Frugal
      # Loads frugal's own files, invisibly to the program.
      #
      #   Parts.need("#{__dir__}/dropin/find.rb")   # and all that it requires by require_relative
      #
      # The files are not in $LOADED_FEATURES, in a cache or in Coverage.result, and a `require`
      # that the program has replaced is not called (docs/adr/0005). No lock is taken: a signal
      # handler may run this. Bytecode is used if it is for this Ruby and folder and the file
      # has not changed.
      module Parts
        # The methods at the start of the process: a test may replace them later.
        OPEN = ::File.method(:open)
        STAT = ::File.method(:stat)
        COMPILE = (::RubyVM::InstructionSequence.method(:compile) if RUBY_ENGINE == "ruby")
        LOAD = (::RubyVM::InstructionSequence.method(:load_from_binary) if COMPILE)
        EVAL = ::Binding.instance_method(:eval)
        # Ruby's own, which RubyGems and bootsnap replace.
        REQUIRE = ::Kernel.instance_method(
          ::Kernel.private_method_defined?(:gem_original_require) ? :gem_original_require : :require
        )
        RELATIVE = /^(\s*)require_relative (?=")/
        MAX_BYTES = 1 << 16 # of any file
        FOLDER = "#{__dir__}/".freeze
        PUBLISHED = "#{FOLDER}published.rb".freeze
        BYTECODE = "#{FOLDER}native/#{RUBY_ENGINE}-#{RUBY_VERSION[/\A\d+\.\d+/]}-#{RUBY_PLATFORM}/frugal.iseq".freeze
        # The first line of BYTECODE: its format, Ruby and folder.
        KEY = "frugal bytecode 1: #{RUBY_VERSION} #{RUBY_PATCHLEVEL} #{RUBY_REVISION} " \
              "#{RUBY_PLATFORM} #{FOLDER}\n".freeze
        # On older Rubies, removing a feature makes Ruby resolve all others again: some 360 calls.
        CONCEALS_AT_ONCE = RUBY_VERSION.to_f >= 3.3

        @loaded = {}
        @published = false
        @files = {}    # path => size, seconds and nanoseconds of the compiled source, name of its section
        @sections = {} # name => offset from @first, length, {path => offset in it, length}
        @bytecode = {} # path => its bytecode
        @visible = []  # features to remove

        class << self
          # Returns the scope in which the files are evaluated. In that of TOPLEVEL_BINDING, the refinements that the
          # main program uses would be on.
          attr_writer :scope

          # Reads the table of the bytecode and the section that every process needs.
          def open_bytecode
            start = OPEN.call(BYTECODE, "rb") { |io| io.sysread(MAX_BYTES) }
            return unless start.start_with?(KEY)

            from = KEY.bytesize + 8
            contents, = start.byteslice(KEY.bytesize, 8).unpack("Q>")
            @stamp, @files, @sections, @bytecode = ::Marshal.load(start.byteslice(from, contents))
            @first = from + contents
          rescue ::StandardError # missing or truncated
            nil
          end

          # Evaluates a file of frugal, once.
          #
          # @param path [String] absolute
          # @raise [SystemCallError, ScriptError, StandardError] if it fails
          # *Cost*: with bytecode, a stat, and four calls for each new section; else four calls.
          def need(path)
            return REQUIRE.bind(self).call(path) if @published
            return if @loaded[path] || path == PUBLISHED

            begin
              @loaded[path] = true
              evaluate(path)
            rescue Exception # rubocop:disable Lint/RescueException -- a later call tries again
              @loaded.delete(path)
              raise
            end
          end

          # Replaces `require_relative`; `name` has no extension.
          def need_relative(folder, name)
            need(::File.expand_path("#{name}.rb", folder))
          end

          # Loads a compiled library; only `require` can.
          #
          # @param path [String] absolute
          # @raise [LoadError]
          def need_library(path)
            return if !REQUIRE.bind(self).call(path) || @published

            @loaded[path] = true
            conceal(path)
          end

          # Removes a feature from the list: at once, or before the list is read.
          def conceal(feature)
            @visible << feature
            conceal_all if CONCEALS_AT_ONCE
          end

          # The program is about to read the list.
          def conceal_all
            $LOADED_FEATURES.reject! { |feature| @visible.include?(feature) }
            @visible.clear
          end

          # The program requires frugal: makes features of the loaded files.
          #
          # @param folder [String] lib/frugal/ of the required copy, which may be another one
          def publish(folder)
            return if @published

            @published = true
            @visible.clear
            features = @loaded.keys.flat_map { |path| [path, path.sub(FOLDER) { folder }] }.uniq
            $LOADED_FEATURES.concat(features - $LOADED_FEATURES)
          end

          # Replaces require_relative by need_relative.
          def rewrite(source)
            source.force_encoding(::Encoding::UTF_8).gsub(RELATIVE) { "#{$1}::Frugal::Parts.need_relative __dir__, " }
          end

          private

          def evaluate(path)
            bytecode = bytecode(path)
            return LOAD.call(bytecode).eval if bytecode

            source = rewrite(OPEN.call(path) { |io| io.sysread(MAX_BYTES) })
            # Coverage in Ruby 4.0 includes all that is compiled, but eval only if requested.
            return EVAL.bind(@scope.call).call(source, path, 1) if RUBY_VERSION.to_f >= 4.0 || !COMPILE

            COMPILE.call(source, path, path).eval
          end

          # @return [String, nil] nil if the file has changed since it was compiled
          def bytecode(path)
            size, seconds, nanoseconds, section = @files[path]
            read_section(section) if @sections.key?(section) && !@bytecode[path]
            bytecode = @bytecode.delete(path) or return
            stat = STAT.call(path)
            time = stat.mtime
            # Container images store whole seconds.
            bytecode if stat.size == size && time.to_i == seconds && (time.nsec == nanoseconds || time.nsec == 0)
          rescue ::StandardError # use the source
            nil
          end

          def read_section(name)
            offset, length, files = @sections.delete(name)
            section = OPEN.call(BYTECODE, "rb") { |io| io.sysseek(@first + offset) && io.sysread(length) }
            # BYTECODE may have been replaced meanwhile.
            return unless section.bytesize == length && section.start_with?(@stamp)

            files.each { |one, (from, bytes)| @bytecode[one] = section.byteslice(from, bytes) }
          end
        end
      end
    end
    Frugal::Parts.scope = binding.method(:dup)
    Frugal::Parts.open_bytecode if mri
    Frugal::Parts.need("#{__dir__}/autorun/#{RUBY_ENGINE}.rb")
    Frugal::Autorun::Loading.conceal(file) if !mri && defined?(Frugal::Autorun)
  end
  loaded.enable if mri # last: if an upstream is loaded already, its drop-in has called `require` above

end
$stderr.puts "frugal: all drop-ins: off: FRUGAL=#{ENV["FRUGAL"]}" if off && ENV["FRUGAL_VERBOSE"] == "1"
