# frozen_string_literal: true

require_relative "../dropin/dir/methods"

module Frugal
  # Detects that an upstream library is being loaded, and then loads and installs its drop-in.
  # {Loading} detects every way to load a file (`require`, `load`, `require_relative`, autoload,
  # Bundler, bootsnap's cache of bytecode). Each Ruby engine has its own Loading, in ruby.rb or
  # jruby.rb.
  #
  #   Autorun.watch(:rake)
  #   require "rake"         # the next statement finds the drop-in installed
  module Autorun
    # The end of an upstream file's path => its drop-in, its constant, its gem.
    UPSTREAMS = {
      "/rake.rb" => %i[rake Rake rake], "/find.rb" => %i[find Find find], "/pstore.rb" => %i[pstore PStore pstore],
      "/fileutils.rb" => %i[fileutils FileUtils fileutils],
      "/active_support/cache/file_store.rb" => %i[active_support ActiveSupport activesupport],
      "/active_support/file_update_checker.rb" => %i[file_update_checker ActiveSupport activesupport],
      "/sprockets/path_utils.rb" => %i[sprockets Sprockets sprockets],
      "/sinatra/base.rb" => %i[sinatra Sinatra sinatra]
    }.freeze
    # RuboCop reads $LOADED_FEATURES for the key of its cache. Before that, frugal's features are
    # removed.
    FEATURES_READER = "/rubocop/result_cache.rb"
    FOLDER = "#{::File.expand_path("..", __dir__)}/".freeze
    # The file in which Bundler removes everything from $LOAD_PATH that is not in the Gemfile.
    BUNDLER = "/bundler/runtime.rb"
    private_constant :FEATURES_READER, :FOLDER, :BUNDLER

    @pending = {} # drop-ins whose upstream is not loaded yet
    @late = {}    # the end of a path => the block to call at the end of that file
    @seen = {}    # pending drop-ins of which a part of the upstream is loaded
    # The ends of all paths that are awaited.
    @endings = [*UPSTREAMS.keys, FEATURES_READER, BUNDLER]

    class << self
      # Waits for the upstream of a drop-in; installs the drop-in at once if the upstream is loaded.
      #
      # @param name [Symbol]
      # @return [void]
      def watch(name)
        return if @pending[name]

        _, constant, = UPSTREAMS.each_value.find { |drop_in, *| drop_in == name }
        @pending[name] = true
        Loading.enable unless Loading.enabled?
        protect { arrived(name) } if Object.const_defined?(constant, false) && !Object.autoload?(constant)
      end

      # Calls the block at the end of the module in a file that is not in {UPSTREAMS}.
      #
      # @param ending [String] of the file's path
      # @return [void]
      def afterwards(ending, &arrival)
        @late[ending] = arrival
        @endings |= [ending]
        Loading.enable unless Loading.enabled?
      end

      # Waits for the first pattern that the drop-in of Dir supports, and loads the drop-in then.
      # Ruby itself defines Dir, so there is no file to wait for.
      #
      # @return [void]
      def watch_dir
        Dropin::Dir.wait_for { glob_seen } unless Dropin::Dir.changed
      end

      # What `frugal run` waits for. Without it, Frugal.enable calls {watch} for each drop-in.
      #
      # @return [void]
      def watch_all
        UPSTREAMS.each_value { |name, *| watch(name) }
        watch_dir
      end

      # @return [void]
      def glob_seen = protect { arrived(:dir) }

      # Keeps the bytecode of files from now on, because the program loads many of them.
      #
      # @param cache [String] a folder
      # @return [void]
      def keep_bytecode(cache)
        protect do
          Loader.need("#{FOLDER}autorun/boot.rb")
          Boot.begin(cache)
        end
      end

      # @param name [Symbol]
      # @return [Boolean] whether that drop-in will be installed when it is needed
      def waiting?(name) = @pending.key?(name) || (name == :dir && Dropin::Dir.waiting?)

      # Stops waiting, because the drop-in is on, off, or stands aside.
      #
      # @param name [Symbol]
      # @return [void]
      def settled(name)
        @pending.delete(name)
        @seen.delete(name)
        disable_if_done
      end

      # Called for each file that is loaded. Most paths end with none of the awaited names.
      #
      # @param path [String]
      # @param file [Object] the same file, as {Loading} represents it
      # @return [void]
      def loading(path, file)
        Start.count_file if Loader.frugal_run?
        return arrived_later unless path.end_with?(*@endings)

        ending, (name, _, gem) = UPSTREAMS.find { |suffix, _| path.end_with?(suffix) }
        if ending && @pending[name] && !path.start_with?(FOLDER)
          protect { install_at_end(file, name) if home?(path, gem) }
        elsif (late = @late.keys.find { |suffix| path.end_with?(suffix) })
          protect { Loading.at_module_end(file) { late_arrived(late) } }
        elsif path.end_with?(FEATURES_READER)
          Loader.conceal_all if Loader.frugal_run?
        elsif path.end_with?(BUNDLER)
          Loader.reach if Loader.frugal_run?
        else
          arrived_later
        end
      end

      # Runs frugal's code in the middle of the program's code. An error in frugal's code ends the
      # watching. An error that a thread, a timer or a signal handler raises belongs to the program
      # and propagates.
      def protect
        Thread.handle_interrupt(Object => :never) do
          yield
        rescue StandardError, ScriptError => e
          # The same test as in dropin/own_failure.rb, which is not loaded yet.
          paths = e.backtrace_locations&.map(&:path)
          place = paths&.find { |path| !path.start_with?("<internal:") && !path.end_with?(".java") }
          raise unless place.nil? || place.start_with?(FOLDER)

          give_up(e)
        end
      end

      # Stops waiting. What is installed stays.
      #
      # @param reason [String]
      # @return [void]
      def stand_aside(reason)
        @aside = true
        @pending.clear
        @late.clear
        Work.give_up
        Loading.give_up
        $stderr.puts "frugal: stands aside: #{reason}" if ENV["FRUGAL_VERBOSE"] == "1"
      rescue SystemCallError, IOError
        nil # the program has closed $stderr
      end

      private

      # Tries again to install the drop-ins whose upstream was not completely loaded.
      def arrived_later
        protect { @seen.keys.each { |name| arrived(name) unless settled?(name) } } unless @seen.empty?
      end

      def home?(path, gem)
        Loader.need("#{FOLDER}dropin/home.rb") unless Dropin.const_defined?(:Home, false)
        Dropin::Home.of?(path, gem.name)
      end

      def install_at_end(file, name)
        Loading.at_end(file) do
          arrived(name) unless settled?(name)
          settled?(name)
        end
      end

      # Whether the drop-in is on, off, stands aside, or only waits for work.
      def settled?(name) = !@pending[name] || Work.waiting?(name)

      def arrived(name)
        return if @aside

        @seen[name] = true
        return install(name) unless Work.possible?(name)

        Work.wait(name) { protect { install(name) } }
      end

      def install(name)
        return if @aside

        Loader.need("#{FOLDER}dropin.rb") unless Dropin.respond_to?(:enable)
        Dropin.enable(name) if Dropin.respond_to?(:enable) # otherwise another thread is loading dropin.rb
      end

      def late_arrived(ending)
        @late.delete(ending)&.call
        disable_if_done
        true
      end

      def disable_if_done
        Loading.disable if @pending.empty? && @late.empty? && Loading.enabled?
      end

      # The program then runs as it would without frugal.
      def give_up(error) = stand_aside("#{error.message} (#{error.class})")
    end
  end
end
