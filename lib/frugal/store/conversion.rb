# frozen_string_literal: true

require_relative "format"

module Frugal
  class Store
    # All roots of one store as a store of another kind: a new file, which is there
    # whole or not at all.
    #
    #   Conversion.new("app.store", "app.sqlite", engine: :sqlite).call { |done, all| … }
    class Conversion
      BATCH = 1000 # roots in a transaction of the new store, where it has rows
      SUFFIX = ".frugal-convert"
      private_constant :BATCH, :SUFFIX

      # @return [Hash] options that open the one, and the other
      attr_reader :from, :to

      # @param options [Hash] of the new store; by its name, or as the old one, where they are not given
      # @raise [UsageError, CorruptStore, SystemCallError]
      def initialize(source, target, force: false, **options)
        raise UsageError, "#{source} and #{target} are one file: name another, and rename it afterwards" if same?(source, target)

        refuse_taken(target, force)
        @source = source
        @target = target
        @force = force
        @from = Format.of(source)
        @to = { engine: :file, serializer: @from[:serializer], **Format.by_name(target), **options.compact }
      end

      # @yieldparam done [Integer] roots
      # @yieldparam all [Integer]
      # @return [Integer] how many there were
      # @raise [Error] for a root that the new store cannot hold
      def call(&block)
        @temporary = "#{@target}#{SUFFIX}"
        remove
        count = copy(&block)
        give_rights
        File.open(@temporary, "rb", &:fsync)
        place
        count
      ensure
        remove if @temporary
      end

      private

      def same?(source, target) = File.exist?(target) && File.identical?(source, target)

      # What a device or a pipe is for, a file in its place is not.
      def refuse_taken(target, force)
        return unless File.exist?(target) || File.symlink?(target)
        raise UsageError, "#{target} is there already: name another, or say --force" unless force
        raise UsageError, "#{target} is no regular file: name another, or remove it first" unless File.file?(target)
      end

      # Who may not read the old one may not read the new one either, not even while it is made.
      def give_rights
        old = File.stat(@source)
        File.chown(old.uid, old.gid, @temporary) if Process.euid.zero?
        File.chmod(old.mode & 0o777, @temporary)
      end

      # Nobody writes to the old one meanwhile, where that can be had.
      def copy(&block)
        source = Store.new(@source, **@from)
        target = Store.new(@temporary, **@to)
        File.open(@temporary, File::WRONLY | File::CREAT | File::EXCL, 0o600) {}
        @serializer = Serializer.of(@to[:serializer], false)
        source.transaction(!File.writable?(@source)) do
          keys = source.keys
          done = 0
          keys.each_slice(@to[:engine] == :file ? [keys.size, 1].max : BATCH) do |slice|
            target.transaction { slice.each { |key| put(target, key, source[key], done += 1, keys.size, &block) } }
          end
          target.transaction {} if keys.empty?
          count = target.keys.size
          raise Error, "#{count} of #{keys.size} roots arrived in #{@target}: keys that are two there are one here" unless count == keys.size

          source.abort
        end
        target.keys.size
      ensure
        [source, target].compact.each(&:close)
      end

      # A value that the new store cannot hold is noticed here, while its root is known.
      def put(target, key, value, done, all)
        @serializer.dump_value(value) unless @to[:serializer] == :marshal
        target[key] = value
        yield done, all if block_given?
      rescue UsageError, TypeError => error
        raise Error, "the root #{key.inspect} cannot be converted: #{error.message}"
      end

      # Without force, a name that came meanwhile is not taken.
      def place
        return File.link(@temporary, @target) unless @force && File.exist?(@target)

        raise UsageError, "#{@target} is in use, since there is #{@target}-wal: end what uses it first" if File.size?("#{@target}-wal")

        File.open(@target, "rb") do |old|
          old.flock(File::LOCK_EX)
          File.rename(@temporary, @target)
        end
      rescue Errno::EEXIST
        raise UsageError, "#{@target} is there already: name another, or say --force"
      end

      def remove
        ["", "-wal", "-shm"].each { |end_of_name| FileTest.exist?("#{@temporary}#{end_of_name}") && File.unlink("#{@temporary}#{end_of_name}") }
      end
    end
  end
end
