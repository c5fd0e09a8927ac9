# frozen_string_literal: true

module FileutilsFuzz
  # Bugs that the fuzzer has to find. Each breaks the drop-in in one way.
  module Mutants
    ENGINE = Frugal::Native.engine
    TREES = Frugal::Dropin::Fileutils::Trees.singleton_class
    # Prepended to TreeCopy: no entry is passed to Ruby.
    module NothingPassed
      def next
        nil while super
      end
    end

    ACCEPTED = ->(path) { path.instance_of?(String) && !path.include?("\0") }

    ALL = {
      "entries left to stock are skipped" => lambda do
        replace(ENGINE, :remove_tree) { |original, *args| original.call(*args) || nil }
      end,
      "force is always on" => lambda do
        replace(ENGINE, :remove_tree) { |original, path, _force, *rest| original.call(path, true, *rest) }
      end,
      "the mode is ignored" => lambda do
        replace(ENGINE, :make_directories) { |original, path, _mode| original.call(path, nil) }
      end,
      "entries passed to Ruby are not copied" => -> { ENGINE::TreeCopy.prepend(NothingPassed) },
      "every encoding is accepted" => -> { TREES.define_method(:plain?) { |path| ACCEPTED.call(path) } },
      "a copy into itself is not noticed" => -> { TREES.define_method(:within?) { |*| false } }
    }.freeze

    def self.apply(name)
      verbose, $VERBOSE = $VERBOSE, nil
      instance_exec(&ALL.fetch(name))
    ensure
      $VERBOSE = verbose
    end

    def self.replace(owner, name, &block)
      original = owner.method(name)
      owner.define_singleton_method(name) { |*args| block.call(original, *args) }
    end
  end
end
