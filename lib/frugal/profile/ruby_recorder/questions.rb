# frozen_string_literal: true

# Methods that ask about a file. Their results contain less than the results of the system calls, so the recorder
# examines the file itself afterwards: two questions have the same answer if the file has the same attributes.
module Questions
  STATS = %w[exist? file? directory? size size? zero? empty? mtime atime ctime stat pipe? socket? blockdev? chardev?
             owned? grpowned? setuid? setgid? sticky? world_readable? world_writable? identical?].freeze
  LINKS = %w[lstat symlink? ftype].freeze
  # The mode of access(2) that each method asks for.
  MODES = { readable?: 4, readable_real?: 4, writable?: 2, writable_real?: 2,
            executable?: 1, executable_real?: 1 }.freeze
  private_constant :STATS, :LINKS, :MODES

  class << self
    # @return [void]
    def install
      [File, FileTest].map(&:singleton_class).each do |owner|
        Wrappers.around(owner, self, :stat, STATS)
        Wrappers.around(owner, self, :link, LINKS)
        Wrappers.around(owner, self, :access, MODES.keys.map(&:to_s))
      end
      Wrappers.around(File.singleton_class, self, :birthtime, %w[birthtime])
      Wrappers.around(Dir.singleton_class, self, :stat, %w[exist?])
      Wrappers.around(File::Stat, self, :stat, %w[initialize])
      Wrappers.around(File, self, :descriptor, %w[stat size mtime atime ctime birthtime])
      Wrappers.around(File, self, :link, %w[lstat])
    end

    def stat(call) = (call.name == :identical? ? call.args : call.args.first(1)).each { |name| ask(call, name, :stat) }

    def link(call) = ask(call, File === call.receiver ? call.receiver.path : call.args.first, :lstat)

    def birthtime(call) = ask(call, call.args.first, :statx)

    def access(call)
      path = Values.absolute(call.args.first)
      found = call.result ? {} : Values.look(path, false)
      error = found[:error] || (call.result ? 0 : Values::DENIED)
      call.event(call.name.end_with?("_real?") ? :access : :eaccess, path: path, flags: MODES.fetch(call.name),
                                                                     error: error)
    end

    def descriptor(call)
      file = call.receiver
      stat = File::Stat === call.result ? call.result : file.stat
      call.event(:fstat, path: Values.absolute(file.path), descriptor: file.fileno, **Values.facts(stat))
    end

    private

    def ask(call, name, function)
      return of_open_file(call, name) if IO === name

      path = Values.absolute(name)
      found = {}
      unless call.error
        known = File::Stat === call.result
        found = known ? Values.facts(call.result) : Values.look(path, function == :lstat)
      end
      call.event(function, path: path, **found)
    end

    def of_open_file(call, file)
      return unless file.respond_to?(:path) && !file.closed?

      call.event(:fstat, path: Values.absolute(file.path), descriptor: file.fileno,
                         **Values.facts(file.stat))
    end
  end
end
