# frozen_string_literal: true

require_relative "platform"

module Frugal
  # Looks up a constant of the running program by name, without running code of the
  # program: no autoload, no `const_missing`, no overridden `const_get`.
  # `defined?(::Pathname)` is not enough: it is true for a constant that is not
  # autoloaded yet, and `::Pathname` then runs the autoload, or raises NameError if the
  # autoload is already running.
  #
  #   Constants.loaded("YAML::Store")    # => YAML::Store; nil before it is loaded
  #   Constants.loaded("Rack::RELEASE")  # => "2.2.4"
  module Constants
    # Methods of Module itself, because a class may override them. Only the main Ractor can
    # read LOOKUP_METHODS: a Ractor cannot share an UnboundMethod.
    LOOKUP_NAMES = %i[const_defined? autoload? const_get].freeze
    LOOKUP_METHODS = LOOKUP_NAMES.map { |name| Module.instance_method(name) }.freeze
    private_constant :LOOKUP_NAMES, :LOOKUP_METHODS
    @split = {}

    class << self
      # The value of a loaded constant, public or private. The result is nil if the
      # constant does not exist, if its scope is not a Module, if it is not autoloaded
      # yet, if another thread is autoloading it, or if this thread is autoloading it and
      # has not set it yet.
      #
      # As soon as the file that this thread is loading has set the constant, its value
      # is returned, even if the rest of that file has not run yet, as for a file that
      # `require` loads. To wait for the whole file, look up a constant that is set at
      # the end of the file.
      #
      # @param path [String] relative to Object, without a leading `::`
      # @return [Object, nil] the value, which can itself be nil or false
      # @raise [NameError] if the path is not a valid constant name
      #
      # *Cost*: no system call; no object from the second call on, except in Ractors
      # other than the main one. For a valid name it never raises, loads anything, or
      # prints a deprecation warning.
      def loaded(path)
        return lookup(@split[path] || split(path), LOOKUP_METHODS) if Platform.main_ractor?

        lookup(path.split("::"), LOOKUP_NAMES.map { |name| Module.instance_method(name) })
      end

      private

      # @return [Object, nil] the value of the last name
      def lookup(names, (defined, autoload, get))
        value = Object
        index = 0
        while (name = names[index])
          return unless Module === value && defined.bind_call(value, name, false)
          return if autoload.bind_call(value, name, false)

          value = without_deprecation { get.bind_call(value, name, false) }
          index += 1
        end
        value
      end

      # Caches the split path in a new Hash, because another thread may be reading the old one.
      def split(path) = (@split = @split.merge(path => path.split("::").map(&:to_sym).freeze))[path]

      # Reads a constant without Ruby's deprecation warning, which is meant for code of
      # the program, not for frugal.
      def without_deprecation
        return yield unless Warning[:deprecated]

        begin
          Warning[:deprecated] = false
          yield
        ensure
          Warning[:deprecated] = true
        end
      end
    end
  end
end
