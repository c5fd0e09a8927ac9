# frozen_string_literal: true

module FrugalRuntime
  # Loads frugal's own files, invisibly to the program. Under `frugal run`, this module replaces the one in
  # lib/frugal/loader.rb.
  #
  #   Loader.need("#{__dir__}/dropin/find.rb")   # and all that it requires by require_relative
  #
  # The files are not in $LOADED_FEATURES, in a cache or in Coverage.result, and a `require`
  # that the program has replaced is not called (docs/adr/0005). Takes no lock, because a signal
  # handler may call this module. Bytecode is used if it was made for this Ruby and folder and
  # the file has not changed.
  module Loader
    # The methods as they are at the start of the process.
    OPEN = Start::OPEN
    STAT = Start::STAT
    COMPILE = Start::COMPILE
    LOAD = Start::LOAD
    EVAL = Start::EVAL
    REQUIRE = Start::REQUIRE
    RELATIVE = /^(\s*)require_relative (?=")/
    MAX_BYTES = 1 << 16 # the size limit of a file
    FOLDER = Start::FOLDER
    LIB = FOLDER.delete_suffix("/frugal/").freeze
    PLAIN = "#{FOLDER}loader.rb".freeze
    BYTECODE = "#{FOLDER}native/#{::RUBY_ENGINE}-#{::RUBY_VERSION[/\A\d+\.\d+/]}-#{::RUBY_PLATFORM}/frugal.iseq".freeze
    # On older Rubies, removing a feature makes Ruby resolve all others again: some 360 calls.
    CONCEALS_AT_ONCE = ::RUBY_VERSION.to_f >= 3.3

    @loaded = {}
    @published = false
    @bytecode = {} # path => size, seconds and nanoseconds of the compiled source, its bytecode
    @visible = []  # features to remove

    class << self
      # @param index [String, nil] of the bytecode file: see ext/frugal/bytecode.rb
      # @param sections_at [Integer, nil] the offset of its sections
      # @return [Boolean] whether frugal can detect, in this Ruby, that an upstream is loaded
      def begin(index, sections_at)
        @loaded["#{FOLDER}dropin/dir/entrance.rb"] = true if defined?(FrugalRuntime::Dropin::Dir)
        @stamp, @sections = ::Marshal.load(index) if index # rubocop:disable Security/MarshalLoad -- bytecode runs anyway
        @sections_at = sections_at
        reach if Start.loaded?(:Bundler)
        need("#{FOLDER}autorun/#{::RUBY_ENGINE}.rb")
        return false unless FrugalRuntime.const_defined?(:Autorun, false)

        Autorun.watch_all
        true
      end

      # As in lib/frugal/loader.rb.
      def frugal_run? = true

      # Evaluates a file of frugal, once.
      #
      # @param path [String] absolute
      # @raise [SystemCallError, ScriptError, StandardError] if it fails
      # *Cost*: with bytecode, a stat, and five calls for each new section; else four calls.
      def need(path)
        return REQUIRE.bind(self).call(path) if @published
        return if @loaded[path] || path == PLAIN

        begin
          @loaded[path] = true
          evaluate(path)
        rescue ::Exception # rubocop:disable Lint/RescueException -- a later call tries again
          @loaded.delete(path)
          raise
        end
      end

      # Replaces `require_relative`; `name` has no extension.
      def need_relative(folder, name)
        need(::File.expand_path("#{name}.rb", folder))
      end

      # Loads a compiled library by `require`, which is the only way.
      #
      # @param path [String] absolute
      # @raise [LoadError]
      def need_library(path)
        return if !shown { REQUIRE.bind(self).call(path) } || @published

        @loaded[path] = true
        conceal(path)
      end

      # @param path [String] a file of frugal that an autoload is going to load, under JRuby
      def conceal_autoload(path) = Autorun::Loading.conceal(path)

      # Removes a feature from $LOADED_FEATURES, at once or before the program reads the list.
      def conceal(feature)
        @visible << feature
        conceal_all if CONCEALS_AT_ONCE
      end

      # Removes all concealed features, because the program is about to read $LOADED_FEATURES.
      def conceal_all
        hidden = [*@visible, *Start.hidden]
        $LOADED_FEATURES.reject! { |feature| hidden.include?(feature) }
        @visible.clear
      end

      # Called when the program requires frugal: adds the loaded files to $LOADED_FEATURES.
      #
      # @param folder [String] lib/frugal/ of the required copy, which may be another one
      def publish(folder)
        return if @published

        @published = true
        @visible.clear
        features = @loaded.keys.flat_map { |path| [path, path.sub(FOLDER) { folder }] }.uniq
        $LOADED_FEATURES.concat(features - $LOADED_FEATURES)
      end

      # Under `frugal run`, a program can `require "frugal/rake"` although frugal is neither in its Gemfile nor
      # installed as a gem: it gets the copy that runs it. This copy's folder is added to $LOAD_PATH only when
      # necessary, because each folder in it costs system calls: at the first `require` that finds no file of frugal,
      # or when Bundler is loaded, which provides no hook for such a `require`.
      #
      # @param path [String] without an extension
      # @return [Boolean] whether a `require` of the path works now
      def offer(path)
        return false if $LOAD_PATH.include?(LIB) || !::File.file?("#{LIB}/#{path.delete_suffix(".rb")}.rb")

        reach
        true
      end

      # @return [void]
      def reach
        $LOAD_PATH.push(LIB) unless $LOAD_PATH.include?(LIB)
      end

      # In a source, replaces require_relative by need_relative, and the constant that the program may define itself
      # by FrugalRuntime.
      def rewrite(source)
        source.force_encoding(::Encoding::UTF_8).gsub(/^module Frugal$/, "module FrugalRuntime")
              .gsub(/(?<![\w:"'])(?:::)?Frugal::(?=[A-Z])/, "FrugalRuntime::")
              .gsub(RELATIVE) { "#{$1}FrugalRuntime::Loader.need_relative __dir__, " }
      end

      # Makes Frugal an autoload constant. A program can define its own as if the constant did not exist.
      def hide
        ::Object.class_eval { remove_const(:Frugal) }
        ::Object.autoload(:Frugal, "#{FOLDER}autorun/constant.rb")
      end

      # Runs the block with the constant Frugal visible, because C code looks up the module by this name.
      def shown
        hidden = ::Object.autoload?(:Frugal)
        own = !hidden && ::Object.const_get(:Frugal)
        return yield if own.equal?(FrugalRuntime)

        ::Object.class_eval { remove_const(:Frugal) }
        ::Object.const_set(:Frugal, FrugalRuntime)
        begin
          yield
        ensure
          hidden ? hide : ::Object.class_eval { remove_const(:Frugal) && const_set(:Frugal, own) }
        end
      end

      private

      def evaluate(path)
        bytecode = bytecode(path)
        return LOAD.call(bytecode).eval if bytecode

        source = rewrite(OPEN.call(path) { |io| io.sysread(MAX_BYTES) })
        # From Ruby 4.0 on, Coverage includes all compiled code, but evaluated code only if requested.
        return EVAL.bind(Start::SCOPE.call).call(source, path, 1) if ::RUBY_VERSION.to_f >= 4.0 || !COMPILE

        COMPILE.call(source, path, path).eval
      end

      # @return [String, nil] nil if the file has changed since it was compiled
      def bytecode(path)
        read_section(path) if @sections
        size, seconds, nanoseconds, bytecode = @bytecode.delete(path)
        return unless bytecode

        stat = STAT.call(path)
        time = stat.mtime
        # Container images store whole seconds.
        bytecode if stat.size == size && time.to_i == seconds && (time.nsec == nanoseconds || time.nsec == 0)
      rescue ::StandardError # use the source
        nil
      end

      # Reads the section with the name of a file, if there is one.
      def read_section(path)
        offset, length = @sections.delete(path)
        return unless offset

        section = OPEN.call(BYTECODE, "rb") { |io| io.sysseek(@sections_at + offset) && io.sysread(length) }
        # BYTECODE may have been replaced meanwhile.
        return unless section.bytesize == length && section.start_with?(@stamp)

        table = ::Marshal.load(section.byteslice(@stamp.bytesize, length)) # rubocop:disable Security/MarshalLoad
        @bytecode.update(table)
      end
    end
  end
end
