# frozen_string_literal: true

# A part of trees.rb: the native methods are called only where none of what they replace was redefined.

engine = Frugal::Native.engine
called = []
%i[remove_tree make_directories unlink].each do |name|
  original = engine.method(name)
  engine.define_singleton_method(name) { |*all| (called << name) && original.call(*all) }
end
engine::TreeCopy.prepend(Module.new { define_method(:next) { (called << :copy) && super() } })
work = lambda do
  called.clear
  FileUtils.mkdir_p("a/b")
  File.write("a/f", "")
  FileUtils.cp_r("a", "z")
  FileUtils.rm_f("a/f")
  FileUtils.rm_rf(%w[a z])
  check("left after a redefinition", Dir.empty?("."))
  called.uniq
end
all = %i[make_directories copy unlink remove_tree]
without = ->(users, text) { work.call.then { |names| check("#{text}: #{names}", names == all - users) } }
uses = {
  File => { lstat: %i[copy remove_tree], unlink: %i[unlink remove_tree], path: %i[copy unlink remove_tree],
            join: %i[copy remove_tree], open: %i[copy], exist?: %i[copy], readlink: %i[copy], symlink: %i[copy],
            directory?: %i[make_directories copy], dirname: %i[make_directories], chmod: %i[make_directories] },
  Dir => { mkdir: %i[make_directories copy], children: %i[copy remove_tree], rmdir: %i[remove_tree] },
  IO => { copy_stream: %i[copy] }
}
Dir.mkdir("#{TREE}/redefined")
Dir.chdir("#{TREE}/redefined") do
  without.call([], "nothing is redefined")
  uses.each do |owner, methods|
    methods.each do |name, users|
      seen = 0
      original = owner.method(name)
      owner.define_singleton_method(name) { |*all, **more, &block| (seen += 1) && original.call(*all, **more, &block) }
      without.call(users, "#{owner}.#{name}")
      check("#{owner}.#{name} was not called", seen.positive? || %i[readlink symlink chmod].include?(name))
      owner.singleton_class.remove_method(name)
      owner.define_singleton_method(name, original.unbind) if original.owner == owner.singleton_class
      without.call([], "#{owner}.#{name} is back")
    end
  end
  directory = File.method(:directory?)
  asked = [FileUtils, STOCK].map do |utilities|
    paths = []
    File.define_singleton_method(:directory?) { |path| paths << path and directory.call(path) }
    utilities.mkdir_p("by/stub")
    paths.dup
  ensure
    File.define_singleton_method(:directory?, directory.unbind)
    STOCK.rm_rf("by")
  end
  check("File.directory? is called as by stock: #{asked}", asked.first == asked.last)
  original = FileUtils::Entry_.instance_method(:remove_dir1)
  FileUtils::Entry_.define_method(:remove_dir1) { original.bind_call(self) }
  without.call(%i[remove_tree], "Entry_#remove_dir1")
  FileUtils::Entry_.define_method(:remove_dir1, original)
  receiver = Object.new.extend(FileUtils)
  receiver.define_singleton_method(:fu_mkdir) { |path, mode| super(path, mode) }
  called.clear
  receiver.__send__(:mkdir_p, "by/receiver")
  check("fu_mkdir of the receiver: #{called}", !called.include?(:make_directories))
  STOCK.rm_rf("by")
  File.singleton_class.prepend(Module.new { def lstat(path) = super })
  without.call(%i[copy remove_tree], "a prepended module")
end
