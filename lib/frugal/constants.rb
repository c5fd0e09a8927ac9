# frozen_string_literal: true

require_relative "main_ractor"

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
    # Methods of Module itself: a class may have its own of the same name. Only the main Ractor can read these.
    QUESTION_NAMES = %i[const_defined? autoload? const_get].freeze
    QUESTIONS = QUESTION_NAMES.map { |name| Module.instance_method(name) }.freeze
    private_constant :QUESTION_NAMES, :QUESTIONS
    @split = {}

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
      # *Cost*: no system call and, from the second time on, no object; some objects in
      # Ractors other than the main one. For a valid name it never raises, loads, or
      # warns that a constant is deprecated.
      def loaded(path)
        return inner(path.split("::"), QUESTION_NAMES.map { |name| Module.instance_method(name) }) unless MainRactor.here?

        inner(@split[path] || split(path), QUESTIONS)
      end

      private

      # @return [Object, nil] what the last of the names stands for
      def inner(names, (defined, autoload, get))
        value = Object
        index = 0
        while (name = names[index])
          return unless Module === value && defined.bind_call(value, name, false) && !autoload.bind_call(value, name, false)

          value = Warning[:deprecated] ? quietly { get.bind_call(value, name, false) } : get.bind_call(value, name, false)
          index += 1
        end
        value
      end

      # In a new Hash, because another thread may be reading the old one.
      def split(path) = (@split = @split.merge(path => path.split("::").map(&:to_sym).freeze))[path]

      # Ruby warns of a deprecated constant when somebody reads it. That is news
      # about the program's code, and this is not the program's code.
      def quietly
        Warning[:deprecated] = false
        yield
      ensure
        Warning[:deprecated] = true
      end
    end
  end
end
