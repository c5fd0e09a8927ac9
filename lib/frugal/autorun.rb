# frozen_string_literal: true

# What `frugal run` loads into every Ruby process, by RUBYOPT. A child process may
# be an old Ruby: this file keeps to the grammar of Ruby 2.0, and a Ruby that
# frugal does not support does nothing here. What follows is autorun/watcher.rb.
#
# *Cost*: what `require` takes for this file; a read of the bytecode (four calls), and one stat for each of two more files.
off = ENV["FRUGAL"].to_s.b =~ /\A(?:0|off|no|false)\z/i # as in dropin/switch.rb
again = defined?(Frugal::Parts.need) # named twice by -r: as it is no feature, Ruby loads it again
if RUBY_ENGINE == "ruby" && RUBY_VERSION.to_f >= 3.1 && defined?(Frugal::Dropin.enable) && !again
  require_relative "autorun/watcher" # the program has loaded frugal itself, and its drop-in has to wait
elsif RUBY_ENGINE == "ruby" && RUBY_VERSION.to_f >= 3.1
  # A program that did not ask for this file must not find it among its features.
  file = __FILE__
  loaded = TracePoint.new(:c_return) do |event|
    if event.method_id == :require
      loaded.disable
      off ? $LOADED_FEATURES.delete(file) : Frugal::Parts.conceal(file)
    end
  end

  unless off || again
    module Frugal
      # Loads frugal's own files for a program that did not ask for them.
      #
      #   Parts.need("#{__dir__}/dropin/find.rb")   # and what it requires by require_relative
      #
      # They are in no list of features, no cache and no Coverage.result, and no `require` that
      # the program has replaced is called (docs/adr/0005). Nothing here takes a lock: a signal's
      # handler may come here. A file that has not changed since ext/frugal/bytecode.rb compiled
      # it, for this Ruby and in this folder, is read as bytecode.
      module Parts
        # As they are when the process starts: a test may replace them later.
        OPEN = ::File.method(:open)
        STAT = ::File.method(:stat)
        COMPILE = ::RubyVM::InstructionSequence.method(:compile)
        LOAD = ::RubyVM::InstructionSequence.method(:load_from_binary)
        BINDING = ::TOPLEVEL_BINDING.method(:dup)
        EVAL = ::Binding.instance_method(:eval)
        # Ruby's own, below what RubyGems and bootsnap put in its place.
        REQUIRE = ::Kernel.instance_method(::Kernel.private_method_defined?(:gem_original_require) ? :gem_original_require : :require)
        RELATIVE = /^(\s*)require_relative (?=")/
        MOST = 1 << 16 # bytes, of any file
        FOLDER = "#{__dir__}/"
        PUBLISHED = "#{FOLDER}published.rb"
        BYTECODE = "#{FOLDER}native/#{RUBY_ENGINE}-#{RUBY_VERSION[/\A\d+\.\d+/]}-#{RUBY_PLATFORM}/frugal.iseq"
        # The first line of BYTECODE: its format, and for whom it is made.
        KEY = "frugal bytecode 1: #{RUBY_VERSION} #{RUBY_PATCHLEVEL} #{RUBY_REVISION} #{RUBY_PLATFORM} #{FOLDER}\n"
        # Without an entry, older Rubies look up the real path of each other feature again: some 360 calls.
        CONCEALS_AT_ONCE = RUBY_VERSION.to_f >= 3.3

        @loaded = {}
        @published = false
        @files = {}    # path => size, seconds and nanoseconds of the compiled source, name of its section
        @sections = {} # name => place after @first, length, {path => place in it, length}
        @bytecode = {} # path => what was read for it
        @visible = []  # features to take off the list

        class << self
          # Reads the table of the bytecode, and the section that every process needs.
          def open_bytecode
            start = OPEN.call(BYTECODE, "rb") { |io| io.sysread(MOST) }
            return unless start.start_with?(KEY)

            from = KEY.bytesize + 8
            contents, = start.byteslice(KEY.bytesize, 8).unpack("Q>")
            @stamp, @files, @sections, @bytecode = ::Marshal.load(start.byteslice(from, contents))
            @first = from + contents
          rescue ::StandardError # there is none, or it is not whole
            nil
          end

          # Evaluates a file of frugal's once.
          #
          # @param path [String] absolute
          # @raise [SystemCallError, ScriptError, StandardError] where it cannot be read, or raises
          # *Cost*: a stat where there is bytecode, and four calls for each section of it; else four.
          def need(path)
            return REQUIRE.bind(self).call(path) if @published
            return if @loaded[path] || path == PUBLISHED

            begin
              @loaded[path] = true
              evaluate(path)
            rescue Exception # rubocop:disable Lint/RescueException -- it may be asked for again
              @loaded.delete(path)
              raise
            end
          end

          # What `require_relative` is turned into; `name` is without its ending.
          def need_relative(folder, name)
            need(::File.expand_path("#{name}.rb", folder))
          end

          # Loads a compiled library, which only `require` can do.
          #
          # @param path [String] absolute
          # @raise [LoadError]
          def need_library(path)
            return if !REQUIRE.bind(self).call(path) || @published

            @loaded[path] = true
            conceal(path)
          end

          # Takes a feature off the list: at once, or where that is expensive as soon as it matters.
          def conceal(feature)
            @visible << feature
            conceal_all if CONCEALS_AT_ONCE
          end

          # A program is about to look at the list.
          def conceal_all
            $LOADED_FEATURES.reject! { |feature| @visible.include?(feature) }
            @visible.clear
          end

          # The program requires frugal: what is loaded already is a feature from now on.
          #
          # @param folder [String] lib/frugal/ of the copy that it requires, which may be another one
          def publish(folder)
            return if @published

            @published = true
            @visible.clear
            features = @loaded.keys.flat_map { |path| [path, path.sub(FOLDER) { folder }] }.uniq
            $LOADED_FEATURES.concat(features - $LOADED_FEATURES)
          end

          # Turns a source's require_relative into ours.
          def quiet(source)
            source.force_encoding(::Encoding::UTF_8).gsub(RELATIVE) { "#{$1}::Frugal::Parts.need_relative __dir__, " }
          end

          private

          def evaluate(path)
            bytecode = bytecode(path)
            return LOAD.call(bytecode).eval if bytecode

            source = quiet(OPEN.call(path) { |io| io.sysread(MOST) })
            # Ruby 4.0 enters into Coverage what compile is given; what eval is given, only if asked.
            return EVAL.bind(BINDING.call).call(source, path, 1) if RUBY_VERSION.to_f >= 4.0

            COMPILE.call(source, path, path).eval
          end

          # @return [String, nil] of a file that is still the one that was compiled
          def bytecode(path)
            size, seconds, nanoseconds, section = @files[path]
            read_section(section) if @sections.key?(section) && !@bytecode[path]
            bytecode = @bytecode.delete(path) or return
            stat = STAT.call(path)
            time = stat.mtime
            # An image of a container keeps whole seconds.
            bytecode if stat.size == size && time.to_i == seconds && (time.nsec == nanoseconds || time.nsec == 0)
          rescue ::StandardError # the source is there
            nil
          end

          def read_section(name)
            place, length, files = @sections.delete(name)
            section = OPEN.call(BYTECODE, "rb") { |io| io.sysseek(@first + place) && io.sysread(length) }
            # Another file may have taken this one's place.
            return unless section.bytesize == length && section.start_with?(@stamp)

            files.each { |one, (from, bytes)| @bytecode[one] = section.byteslice(from, bytes) }
          end
        end
      end
    end
    Frugal::Parts.open_bytecode
    Frugal::Parts.need("#{__dir__}/autorun/watcher.rb")
  end
  loaded.enable # not before: a drop-in whose upstream is there already has required a library by now
end
$stderr.puts "frugal: all drop-ins: off: FRUGAL=#{ENV["FRUGAL"]}" if off && ENV["FRUGAL_VERBOSE"] == "1"
