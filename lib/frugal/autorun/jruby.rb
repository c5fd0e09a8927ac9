# frozen_string_literal: true

module Frugal
  module Autorun
    # JRuby has no TracePoint of a method, so no drop-in waits for work.
    module Work
      class << self
        def possible?(_) = false
        def waiting?(_) = false
        def give_up; end
        def finish; end
      end
    end

    # Detects under JRuby that a file has been loaded: JRuby's load service calls a class in native.jar
    # instead of its own (docs/adr/0013).
    #
    #   Loading.enable      # from now on, calls Autorun.loading(path, nil) after each file
    module Loading
      JAR = "#{::File.expand_path("..", __dir__)}/native.jar".freeze
      private_constant :JAR

      @enabled = false
      @concealed = {} # path => true

      class << self
        # @return [Boolean] whether JRuby reports the files that it loads; false without native.jar
        def available?
          ::Kernel.load(JAR) # adds to the class loader's path, but unlike `require` adds no feature
          ::JRuby::Util.load_ext("frugal.LoadHook")
        rescue ::LoadError, ::NameError, ::TypeError => e
          $stderr.puts "frugal: stands aside: #{e.message} (run bin/setup --jruby)" if ENV["FRUGAL_VERBOSE"] == "1"
          false
        end

        def enable = @enabled = true
        def disable = @enabled = false
        alias give_up disable
        def enabled? = @enabled

        # @param path [String] a file that is being loaded and must not become a feature
        def conceal(path) = @concealed[path] = true

        # Called by native.jar after a file was loaded.
        #
        # @param path [String] as in $LOADED_FEATURES
        # @return [Boolean] whether the file is concealed
        def loaded(path)
          Autorun.loading(path, nil) if @enabled
          @concealed.delete(path) || false
        end

        # The whole file has been loaded.
        def at_end(_) = yield
        def at_module_end(_) = yield
      end
    end
  end

  if Autorun::Loading.available?
    require_relative "watcher"
  else
    remove_const(:Autorun)
  end
end
