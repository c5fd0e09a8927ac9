# frozen_string_literal: true

# What `frugal run` loads into every Ruby process, by RUBYOPT. A child process may
# be an old Ruby: this file keeps to the grammar of Ruby 2.0, and a Ruby that
# frugal does not support does nothing here. What follows is autorun/watcher.rb.
#
# *Cost*: what `require` takes for this file, and four calls for each of two more.
off = ENV["FRUGAL"].to_s.b =~ /\A(?:0|off|no|false)\z/i # as in dropin/switch.rb
if RUBY_ENGINE == "ruby" && RUBY_VERSION.to_f >= 3.1 && defined?(Frugal::Dropin.enable)
  require_relative "autorun/watcher" # the program has loaded frugal itself, and its drop-in has to wait
elsif RUBY_ENGINE == "ruby" && RUBY_VERSION.to_f >= 3.1
  # A program that did not ask for this file must not find it among its features.
  file = __FILE__
  loaded = TracePoint.new(:c_return) do |event|
    if event.method_id == :require
      loaded.disable
      $LOADED_FEATURES.delete(file)
    end
  end
  loaded.enable

  unless off
    module Frugal
      # Loads frugal's own files for a program that did not ask for them.
      #
      #   Parts.need("#{__dir__}/dropin/find.rb")   # and what it requires by require_relative
      #
      # They are no features: they are not in $LOADED_FEATURES (and in RuboCop's
      # cache key), not in bootsnap's cache, not in Coverage.result, and no `require`
      # that the program has replaced is called. When the program requires frugal
      # itself, {publish} makes features of them. Nothing here takes a lock, so that
      # a signal's handler may come here too.
      module Parts
        # As they are when the process starts: a test may replace them later.
        OPEN = ::File.method(:open)
        COMPILE = ::RubyVM::InstructionSequence.method(:compile)
        BINDING = ::TOPLEVEL_BINDING.method(:dup)
        EVAL = ::Binding.instance_method(:eval)
        # Ruby's own, below what RubyGems and bootsnap put in its place.
        REQUIRE = ::Kernel.instance_method(::Kernel.private_method_defined?(:gem_original_require) ? :gem_original_require : :require)
        RELATIVE = /^(\s*)require_relative (?=")/
        MOST = 1 << 16 # bytes: no file of frugal's is as long
        PUBLISHED = "#{__dir__}/published.rb" # it speaks for a program that requires frugal
        private_constant :OPEN, :COMPILE, :BINDING, :EVAL, :REQUIRE, :RELATIVE, :MOST, :PUBLISHED

        @loaded = {}
        @published = false

        class << self
          # Evaluates a file of frugal's once.
          #
          # @param path [String] absolute
          # @return [void]
          # @raise [SystemCallError, ScriptError, StandardError] where it cannot be read, or raises
          # *Cost*: open, ioctl (Ruby's own), read and close.
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

          # What `require_relative` is turned into.
          #
          # @param folder [String] of the file that needs the other one
          # @param name [String] without its ending
          # @return [void]
          def need_relative(folder, name)
            need(::File.expand_path("#{name}.rb", folder))
          end

          # Loads a compiled library, which only `require` can do.
          #
          # @param path [String] absolute, without its ending
          # @return [void]
          # @raise [LoadError]
          def need_library(path)
            return if !REQUIRE.bind(self).call(path) || @published

            feature = $LOADED_FEATURES.rindex { |one| one.start_with?("#{path}.") }
            @loaded[$LOADED_FEATURES.delete_at(feature)] = true if feature
          end

          # The program requires frugal: what is loaded already is a feature from now on.
          #
          # @param folder [String] lib/frugal/ of the copy that the program requires, which may be another one than this
          # @return [void]
          def publish(folder)
            return if @published

            @published = true
            own = "#{__dir__}/"
            features = @loaded.keys.flat_map { |path| [path, path.sub(own) { folder }] }.uniq
            $LOADED_FEATURES.concat(features - $LOADED_FEATURES)
          end

          private

          def evaluate(path)
            source = OPEN.call(path) { |io| io.sysread(MOST) }.force_encoding(::Encoding::UTF_8)
            source.gsub!(RELATIVE) { "#{$1}::Frugal::Parts.need_relative __dir__, " }
            # Ruby 4.0 enters into Coverage what compile is given; what eval is given, only if Coverage is asked to.
            return EVAL.bind(BINDING.call).call(source, path, 1) if RUBY_VERSION.to_f >= 4.0

            COMPILE.call(source, path, path).eval
          end
        end
      end
    end
    Frugal::Parts.need("#{__dir__}/autorun/watcher.rb")
  end
end
$stderr.puts "frugal: all drop-ins: off: FRUGAL=#{ENV["FRUGAL"]}" if off && ENV["FRUGAL_VERBOSE"] == "1"
