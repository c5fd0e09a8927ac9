# frozen_string_literal: true

module FileutilsFuzz
  # Bugs that the fuzzer has to find: each spoils the drop-in in one way.
  module Plants
    ENGINE = Frugal::Native.engine
    TREES = Frugal::Dropin::Fileutils::Trees.singleton_class
    # Of TreeCopy.
    module AllAtOnce
      def next
        nil while super
      end
    end

    ALL = {
      "what is left to stock is forgotten" => -> { replace(ENGINE, :remove_tree) { |stock, *args| stock.call(*args) || nil } },
      "force is always on" => -> { replace(ENGINE, :remove_tree) { |stock, path, _force, *rest| stock.call(path, true, *rest) } },
      "the mode is ignored" => -> { replace(ENGINE, :make_directories) { |stock, path, _mode| stock.call(path, nil) } },
      "the handed entries are not copied" => -> { ENGINE::TreeCopy.prepend(AllAtOnce) },
      "any encoding is plain" => -> { TREES.define_method(:plain?) { |path| path.instance_of?(String) && !path.include?("\0") } },
      "a copy into itself" => -> { TREES.define_method(:within?) { |*| false } }
    }.freeze

    def self.put(name)
      verbose, $VERBOSE = $VERBOSE, nil
      instance_exec(&ALL.fetch(name))
    ensure
      $VERBOSE = verbose
    end

    def self.replace(owner, name, &block)
      stock = owner.method(name)
      owner.define_singleton_method(name) { |*args| block.call(stock, *args) }
    end
  end
end
