# frozen_string_literal: true

# Methods that change names and attributes, or follow a link.
module Changes
  class << self
    # @return [void]
    def install
      file = File.singleton_class
      kinds = { removal: %w[unlink delete], attributes: %w[chmod lchmod chown lchown utime lutime],
                pair: %w[rename link], symlink: %w[symlink], answer: %w[readlink realpath realdirpath],
                one: %w[truncate mkfifo] }
      kinds.each { |kind, names| Wrappers.around(file, self, kind, names) }
      Wrappers.around(Dir.singleton_class, self, :one, %w[mkdir])
      Wrappers.around(Dir.singleton_class, self, :rmdir, %w[rmdir unlink delete])
      Wrappers.around(File, self, :open_file, %w[truncate chmod chown])
      Wrappers.around(File, self, :lock, %w[flock])
      Wrappers.around(File, self, :sync, %w[fsync fdatasync])
    end

    def removal(call) = each(call, :unlink, call.args)

    def attributes(call)
      function = call.name == :lutime ? :utime : call.name
      function = :chmod if function == :lchmod
      each(call, function, call.args.drop(call.name.end_with?("chmod") ? 1 : 2))
    end

    def pair(call)
      from, to = call.args.map { |name| Values.absolute(name) }
      call.event(call.name, path: from, to: to)
    end

    # `path` is the link, `to` its text.
    def symlink(call)
      text, link = call.args
      call.event(:symlink, path: Values.absolute(link), to: String === text ? text : File.path(text))
    end

    def answer(call)
      name, directory = call.args
      path = Values.absolute(name)
      path = Values.absolute(directory) + "/" + name if directory && !name.start_with?("/")
      found = call.result ? { to: call.result, result: Values.content(call.result) } : {}
      call.event(call.name == :readlink ? :readlink : :realpath, path: path, **found)
    end

    def one(call) = call.event(call.name, path: Values.absolute(call.args.first))

    def rmdir(call) = call.event(:rmdir, path: Values.absolute(call.args.first))

    def open_file(call)
      of_descriptor(call, { truncate: :ftruncate, chmod: :fchmod, chown: :fchown }.fetch(call.name))
    end

    # The thread that gets a lock may find what others have changed until then.
    def lock(call)
      of_descriptor(call, :flock)
      call.wait if call.result && (call.args.first & File::LOCK_UN).zero?
    end

    def sync(call) = of_descriptor(call, call.name)

    private

    def of_descriptor(call, function)
      file = call.receiver
      call.event(function, path: Values.absolute(file.path), descriptor: file.fileno)
    end

    # Records one event for each name. Ruby stops at the first failure, and the message of its error ends with that
    # name.
    def each(call, function, names)
      paths = names.map { |name| String === name ? name : File.path(name) }
      failed = call.error && (paths.index { |path| call.error.message.b.end_with?(path.b) } || 0)
      done = failed ? paths.first(failed) : paths
      done.each { |path| call.event(function, path: Values.absolute(path), error: 0) }
      call.event(function, path: Values.absolute(paths[failed])) if failed && paths[failed]
    end
  end
end
