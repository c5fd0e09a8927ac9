# frozen_string_literal: true

require_relative "../findings/open_file"
require_relative "../findings/stacks"
require_relative "../standard_streams"

module Frugal
  module Profile
    module Tasks
      # The files that the tasks read and wrote.
      class Accesses
        # The first call with which a task read or wrote a file.
        #
        # call:: {Call}
        # appended, logged:: Boolean: whether the file was only opened to append to it; and whether something was
        #   appended
        # removed:: Boolean: whether the task itself has removed or renamed it
        Access = Struct.new(:call, :appended, :logged, :removed) do
          # @return [Boolean] whether the file is a log: tasks may append to it, and no task reads it as a product
          def log? = appended && logged
        end

        OPENS = %i[open openat fopen creat].freeze
        HANDLERS = { open: :open, openat: :open, fopen: :open, creat: :open, read: :read_bytes, pread: :read_bytes,
                     readv: :read_bytes, sendfile: :read_bytes, write: :append, pwrite: :append, writev: :append,
                     rename: :rename, link: :link, symlink: :link, truncate: :change, utime: :change,
                     unlink: :remove, mkdir: :make, exec: :execute }.freeze
        # O_PATH of Linux, for which Ruby has no constant; the same on x86-64 and ARM.
        PATH_ONLY = 0o10000000
        ACCESS_MODE = 3
        STANDARD = (0..2)
        private_constant :OPENS, :HANDLERS, :PATH_ONLY, :ACCESS_MODE, :STANDARD

        # @return [Hash{Task => Hash{String => Access}}] tasks by identity, files by resolved path
        attr_reader :reads, :writes

        # @param recording [Recording]
        # @param workers [Workers]
        # @param project [Project]
        def initialize(recording, workers, project)
          @workers = workers
          @project = project
          @stacks = Findings::Stacks.new
          @reads, @writes = Array.new(2) { Hash.new { |all, task| all[task] = {} }.compare_by_identity }
          @writers = {}
          @made = {}
          @code = {}
          recording.calls.each { |call| add(call) unless call.error || call.path.nil? }
        end

        # @param path [String] resolved
        # @return [Array<Task>] the tasks that wrote it, the first one first
        def writers(path) = @writers.fetch(path, [])

        # @param path [String] resolved
        # @return [Boolean] whether any process has created, written or removed it
        def made?(path) = @made.key?(path)

        # @param path [String] resolved
        # @return [Boolean] whether Ruby has loaded it, such as the Rakefile and required files
        def code?(path) = @code.key?(path)

        private

        def add(call)
          handler = HANDLERS[call.name] or return
          return @code[resolved(call)] = true if handler == :open && loading?(call)

          send(handler, call, @workers.of(call))
        end

        # Reports whether the call loads code, also a library that Ruby requires before the program begins.
        def loading?(call)
          facts = @stacks.of(call.stack)
          facts.loading? || (facts.place&.loader? != false && facts.requires?)
        end

        def resolved(call) = @project.resolved(call.path)

        def open(call, task)
          flags = call.flags
          return if flags & (PATH_ONLY | Findings::OpenFile::O_DIRECTORY) != 0
          return task && read(task, resolved(call), call) if flags & ACCESS_MODE == File::RDONLY

          write(task, resolved(call), call, appended: flags & File::APPEND != 0 && flags & File::TRUNC == 0)
        end

        def read(task, path, call)
          @reads[task][path] ||= Access.new(call)
        end

        def write(task, path, call, appended: false)
          @made[path] = true
          return unless task

          access = @writes[task][path] ||= Access.new(call, true)
          access.appended &&= appended
          access.removed = false
          (@writers[path] ||= []) << task unless writers(path).any? { |writer| writer.equal?(task) }
        end

        # A read through a descriptor that was open before, or that is also written to.
        def read_bytes(call, task)
          read(task, resolved(call), call) if task && call.bytes.positive? && !STANDARD.cover?(call.fd)
        end

        def append(call, task)
          return unless task && call.bytes.positive? && (access = @writes[task][resolved(call)])

          access.logged = true
        end

        def change(call, task) = write(task, resolved(call), call)

        def link(call, task)
          write(task, @project.entry(call.name == :link ? call.to : call.path), call) if call.to
        end

        def rename(call, task)
          return unless call.to

          from, to = [call.path, call.to].map { |path| @project.entry(path) }
          moved = task ? @writes[task].keys.select { |path| path.start_with?("#{from}/") } : []
          moved.each { |path| write(task, to + path.byteslice(from.bytesize..), call) }
          [from, *moved].each { |path| gone(task, path) }
          write(task, to, call)
        end

        def remove(call, task) = gone(task, @project.entry(call.path))

        def gone(task, path)
          @made[path] = true
          return unless task

          own = writers(path).select { |writer| writer.equal?(task) || task.runs?(writer) }
          own.each { |writer| @writes[writer][path].removed = true }
        end

        def make(call, _task) = @made[@project.entry(call.path)] = true

        # Counts as a read: the kernel reads the program, which may be a file of the project.
        def execute(call, task)
          read(task, resolved(call), call) if task && File.file?(call.path)
        end
      end
    end
  end
end
