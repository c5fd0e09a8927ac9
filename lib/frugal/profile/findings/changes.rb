# frozen_string_literal: true

require_relative "paths"

module Frugal
  module Profile
    module Findings
      # Applies all calls that change the file system, of all processes, to the nodes. This invalidates the earlier
      # answers.
      #
      # A program that was started but not recorded (setuid, statically linked) may change anything, and its end is not
      # recorded. From its start on, no answer is valid. See {#hidden?}.
      class Changes
        CREATE = File::CREAT
        TRUNCATE = File::TRUNC
        NAMES = %i[open openat fopen creat write pwrite writev copy_file_range ftruncate truncate fallocate fchmod chmod
                   fchown chown lchown utime mkdir mkfifo mknod symlink link rename unlink rmdir
                   chdir fchdir chroot fork spawn exec].to_h { |name| [name, true] }.freeze
        private_constant :CREATE, :TRUNCATE

        # @param paths [Paths]
        # @param processes [Array<ProcessRecord>] in the order of their start
        def initialize(paths, processes)
          @paths = paths
          @started = {}
          processes.each { |process| [process.pid, process.ppid].each { |pid| @started[pid] = process.started } }
          @pids = processes.to_h { |process| [process.pid, true] }
          @hidden = {}.compare_by_identity
          @entered = Hash.new(Node::NEVER).compare_by_identity
        end

        # @return [Boolean] whether a program that was not recorded may be running
        def hidden? = !@hidden.empty?

        # @param process [ProcessRecord]
        # @return [Integer] nanoseconds: when it last changed its current directory
        def entered_at(process) = @entered[process]

        # @param call [Call] one of {NAMES}
        # @param node [Node, nil] the node of its path
        # @param actor [Actor] that made the call
        def apply(call, node, actor)
          case call.name
          when :fork, :spawn, :exec then start(call, actor)
          when :chdir, :fchdir, :chroot then @entered[actor.process] = call.finish unless call.error
          else change(call, node) if node && !call.error
          end
        end

        private

        def change(call, node)
          time = call.finish
          case call.name
          when :open, :openat, :fopen, :creat then open(call, node, time)
          when :mkdir, :mkfifo, :mknod, :symlink then create(node, time)
          when :unlink, :rmdir then remove(node, time)
          when :rename then rename(node, call.to, time)
          when :link then link(node, call.to, time)
          when :chmod, :chown, :fchmod, :fchown then permit(node, time)
          else node.change(time)
          end
        end

        def open(call, node, time)
          flags = call.flags
          create(node, time) if flags & CREATE != 0 && !node.present
          node.change(time) if flags & TRUNCATE != 0
          node.present = true
        end

        # The permissions of a directory decide whether the paths below it can be reached.
        def permit(node, time)
          present = node.present
          node.move(time)
          node.present = present
        end

        def create(node, time)
          node.move(time)
          node.present = true
          node.parent&.change(time)
        end

        def remove(node, time)
          node.move(time)
          node.parent&.change(time)
        end

        def rename(node, to, time)
          content = node.content
          remove(node, time)
          return unless to

          create(@paths.at(to), time)
          @paths.at(to).hold(content, time)
        end

        def link(node, to, time)
          node.change(time)
          create(@paths.at(to), time) if to
        end

        def start(call, actor)
          return if call.error

          @hidden[actor] = true unless recorded?(call)
        end

        # Reports whether the started program is recorded. For an exec, its process, or a child of its process, must
        # have a record that starts after the exec.
        def recorded?(call)
          return @pids.key?(call.bytes) unless call.name == :exec

          @started.fetch(call.process.pid, Node::NEVER) >= call.time
        end
      end
    end
  end
end
