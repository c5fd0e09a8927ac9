# frozen_string_literal: true

require_relative "../../platform"

module Frugal
  module Profile
    module Findings
      # The calls of a process on one descriptor, from the open to the close.
      class OpenFile
        MASK = (1 << 56) - 1 # no bignum
        WRITABLE = File::WRONLY | File::RDWR
        SEED = 7
        # Of Linux; Ruby has no constant for it.
        O_DIRECTORY = Platform::SYSTEM.match?(/arm|aarch64|powerpc|ppc/) ? 0o40000 : 0o200000
        OPENS = %i[open openat].freeze
        LISTS = %i[readdir getdents64].freeze
        private_constant :MASK, :WRITABLE, :SEED, :OPENS, :LISTS

        # @param flags [Integer] of an open
        # @return [Boolean]
        def self.writable?(flags) = flags & WRITABLE != 0

        # @param call [Call]
        # @return [Boolean] whether it opens a directory
        def self.directory?(call)
          call.name == :opendir || (OPENS.include?(call.name) && call.flags & O_DIRECTORY != 0)
        end

        # @return [Call] the open
        attr_reader :open
        # @return [Node]
        attr_reader :node
        # @return [Actor] that opened the file
        attr_reader :actor
        # @return [StackFacts] of the open
        attr_reader :facts
        # @return [Array<Call>] the open and all calls on the descriptor
        attr_reader :calls
        # @return [Integer] bytes
        attr_reader :bytes_read, :bytes_written
        # @return [Integer, nil] bytes: the size of the file, if the program asked for it
        attr_reader :size
        # @return [Integer] how often the program moved to another position in the file
        attr_reader :seeks
        # @return [Integer, nil] the signature of the content before the open
        attr_reader :content_before
        # @return [Integer, nil] the signature of the names in a folder, equal for equal names; nil if it is unknown
        attr_reader :names

        # @param open [Call]
        # @param node [Node] before the open is applied to it
        # @param actor [Actor]
        # @param facts [StackFacts]
        def initialize(open, node, actor, facts)
          @open = open
          @node = node
          @actor = actor
          @facts = facts
          @calls = [open]
          @bytes_read = @bytes_written = @seeks = @own_changes = 0
          @signature_read = @signature_written = @names = SEED
          @content_before = node.content_for(actor)
          @waited_at = actor.waited_at
        end

        # @param call [Call] an earlier one of the thread that opened the file
        # @return [Boolean] whether the thread waited between this call and the open
        def waited_since?(call) = call.time < @waited_at

        # @return [Boolean] whether the thread has waited since the open
        def waited? = @actor.waited_at > @waited_at

        # @param call [Call] which reads
        def read(call)
          @calls << call
          return @names = add(@names, call) if LISTS.include?(call.name)

          @sought = false
          return @ended = true if call.bytes.zero?

          @bytes_read += call.bytes
          @signature_read = add(@signature_read, call)
        end

        # @param call [Call] which writes
        def write(call)
          @calls << call
          @own_changes += 1 unless call.error
          @scattered = true unless ordinary?(call)
          @bytes_written += call.bytes
          @signature_written = add(@signature_written, call)
        end

        # @param call [Call] of any other kind
        def other(call)
          @calls << call
          case call.name
          when :fstat then @size = call.bytes
          when :lseek then seek
          when :ftruncate then @own_changes += 1 unless call.error
          end
        end

        # Called after the changes that the open itself makes were applied to the node.
        def opened = @changes_before = @node.changes

        # @return [Integer] nanoseconds: the end of the last call
        def finish = @calls.last.finish

        # @return [Boolean] whether the file was read, and was not and could not be written
        def reading? = !OpenFile.writable?(@open.flags) && @own_changes.zero? && @bytes_read.positive?

        # @return [Boolean] whether it is a folder whose names were read to the end
        def listed? = @calls.any? { |call| LISTS.include?(call.name) && !call.error }

        # @return [Boolean] whether the file was read from its beginning to its end
        def whole? = @ended || @bytes_read == @size

        # @return [Integer, nil] the signature of the bytes read, equal for equal bytes in equal pieces; nil if a piece
        #   is unknown
        def content_read = (@signature_read if @bytes_read.positive?)

        # @return [Integer, nil] the signature of the whole file, if it was read to its end
        def content_found = (content_read if whole?)

        # @return [Integer, nil] the signature of the whole file at the close, if it was written before
        def content_written
          return if @scattered || !@bytes_written.positive? || !alone?
          return @signature_written if replaces?

          @signature_written if whole? && @signature_written == @signature_read
        end

        # @return [Boolean] whether no other call has changed the file since the open
        def alone? = @node.changes - @changes_before == @own_changes

        private

        def seek
          @seeks += 1
          @sought = true
        end

        # Reports whether the written bytes replace the beginning of the file: after a read without a seek, a write goes
        # behind the bytes that were read.
        def ordinary?(call)
          (call.name == :write || call.name == :writev) && (@bytes_read.zero? || @sought || @bytes_written.positive?)
        end

        # @return [Boolean] whether the file was empty at the open
        def replaces? = @open.flags & File::TRUNC != 0 || @open.flags & File::EXCL != 0 || @open.name == :creat

        def add(signature, call)
          return unless signature && !call.error && call.result != 0

          ((signature * 31) ^ call.result ^ (call.bytes << 7)) & MASK
        end
      end
    end
  end
end
