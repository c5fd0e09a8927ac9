# frozen_string_literal: true

require_relative "open_file"

module Frugal
  module Profile
    module Findings
      # Follows each descriptor of a Ruby program from its open to its close, and notifies the finders when it is
      # closed.
      class Descriptors
        OPENS = %i[open openat fopen creat opendir].freeze
        CLOSES = %i[close closedir fclose].freeze
        READS = %i[read readv pread readdir getdents64].freeze
        WRITES = %i[write writev pwrite copy_file_range fallocate].freeze
        OTHERS = %i[fstat lseek ftruncate isatty fchmod fchown fsync fdatasync].freeze
        NAMES = (OPENS + CLOSES + READS + WRITES + OTHERS).freeze

        # @param listeners [Array<#closed>] called with each {OpenFile} that has ended
        def initialize(listeners)
          @listeners = listeners
          @tables = {}.compare_by_identity
        end

        # @param call [Call] one of {OPENS}, before it is applied to its node
        # @param node [Node, nil]
        # @param actor [Actor]
        # @param facts [StackFacts]
        def open(call, node, actor, facts)
          @opened = nil
          return unless node && !call.error && call.fd

          table = table(actor)
          finish(table, call.fd) if table.key?(call.fd)
          table[call.fd] = @opened = OpenFile.new(call, node, actor, facts) if facts.place && !facts.loading?
        end

        # Called as soon as the open is applied to its node.
        def opened = @opened&.opened

        # @param call [Call] one of {NAMES}, but not of {OPENS}
        # @param actor [Actor]
        def use(call, actor)
          open_file = actor.open_files[call.fd] or return

          case call.name
          when :read, :readv, :pread, :readdir, :getdents64
            actor.read = open_file.node
            open_file.read(call)
          when :write, :writev, :pwrite, :copy_file_range, :fallocate then open_file.write(call)
          when :close, :closedir, :fclose then close(open_file, call, actor)
          else open_file.other(call)
          end
        end

        # Ends the open files that were never closed.
        def finish_all
          @tables.each_key { |table| table.keys.each { |fd| finish(table, fd) } }
        end

        private

        def table(actor)
          @tables[actor.open_files] = true
          actor.open_files
        end

        def close(open_file, call, actor)
          open_file.other(call)
          finish(actor.open_files, call.fd)
        end

        def finish(table, descriptor)
          open_file = table.delete(descriptor)
          @listeners.each { |listener| listener.closed(open_file) }
        end
      end
    end
  end
end
