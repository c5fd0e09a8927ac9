# frozen_string_literal: true

require_relative "session"

module Frugal
  module Profile
    module Findings
      # Follows each descriptor of a Ruby program from its open to its close, and tells the finders when it is closed.
      class Descriptors
        OPENS = %i[open openat fopen creat opendir].freeze
        CLOSES = %i[close closedir fclose].freeze
        READS = %i[read readv pread readdir getdents64].freeze
        WRITES = %i[write writev pwrite copy_file_range fallocate].freeze
        OTHERS = %i[fstat lseek ftruncate isatty fchmod fchown fsync fdatasync].freeze
        NAMES = (OPENS + CLOSES + READS + WRITES + OTHERS).freeze

        # @param listeners [Array<#session>] called with each {Session} that has ended
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
          table[call.fd] = @opened = Session.new(call, node, actor, facts) if facts.place && !facts.loading?
        end

        # Called as soon as the open is applied to its node.
        def opened = @opened&.opened

        # @param call [Call] one of {NAMES} but {OPENS}
        # @param actor [Actor]
        def use(call, actor)
          session = actor.sessions[call.fd] or return

          case call.name
          when :read, :readv, :pread, :readdir, :getdents64
            actor.read = session.node
            session.read(call)
          when :write, :writev, :pwrite, :copy_file_range, :fallocate then session.write(call)
          when :close, :closedir, :fclose then close(session, call, actor)
          else session.other(call)
          end
        end

        # Ends what was never closed.
        def finish_all
          @tables.each_key { |table| table.keys.each { |fd| finish(table, fd) } }
        end

        private

        def table(actor)
          @tables[actor.sessions] = true
          actor.sessions
        end

        def close(session, call, actor)
          session.other(call)
          finish(actor.sessions, call.fd)
        end

        def finish(table, descriptor)
          session = table.delete(descriptor)
          @listeners.each { |listener| listener.session(session) }
        end
      end
    end
  end
end
