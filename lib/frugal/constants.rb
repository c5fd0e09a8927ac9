# frozen_string_literal: true

module Frugal
  # Looks up a constant of the program that we run in, by name, and runs nothing
  # of the program's: no autoload, no +const_missing+, no +const_get+ that a class
  # of its own has overridden. <tt>defined?(::Pathname)</tt> does not do: it is
  # true while the constant would be autoloaded, and then <tt>::Pathname</tt> runs
  # the autoload, or raises NameError where that is already running.
  #
  #   Constants.loaded("YAML::Store")    # => YAML::Store; nil before it is loaded
  #   Constants.loaded("Rack::RELEASE")  # => "2.2.4"
  module Constants
    # Methods of Module itself: a class or module may have its own of the same name.
    AUTOLOAD = Module.instance_method(:autoload?)
    DEFINED = Module.instance_method(:const_defined?)
    VALUE = Module.instance_method(:const_get)
    private_constant :AUTOLOAD, :DEFINED, :VALUE

    class << self
      # The value of a constant that is loaded, private ones included. nil stands
      # for: it does not exist; its scope is not a Module; it would be autoloaded;
      # another thread autoloads it; this thread does, and has not set it yet.
      #
      # Once the file that this thread is loading has set the constant, its value is
      # returned, although the rest of that file has still to run: the same as for
      # a file that is loaded by +require+. Who needs all of the file names what
      # its end sets.
      #
      # @param path [String] from Object on, without a leading <tt>::</tt>
      # @return [Object, nil] the value; a constant that is nil or false gives that
      # @raise [NameError] for what cannot be a constant's name
      #
      # *Cost*: no system call; a String for each name in the path. Never raises,
      # loads or warns (of a constant that is deprecated) for a valid name.
      def loaded(path)
        path.split("::").inject(Object) do |scope, name|
          return unless Module === scope && DEFINED.bind_call(scope, name, false) && !AUTOLOAD.bind_call(scope, name, false)

          value(scope, name)
        end
      end

      private

      # Ruby warns of a deprecated constant when somebody reads it. That is news
      # about the program's code, and this is not the program's code.
      def value(scope, name)
        return VALUE.bind_call(scope, name, false) unless Warning[:deprecated]

        begin
          Warning[:deprecated] = false
          VALUE.bind_call(scope, name, false)
        ensure
          Warning[:deprecated] = true
        end
      end
    end
  end
end
