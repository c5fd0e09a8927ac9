# frozen_string_literal: true

require_relative "format"

module Frugal
  class Store
    # Copies all roots of a store to a new store with another engine or serializer. The
    # new file appears when it is complete.
    #
    #   Conversion.new("app.store", "app.sqlite", engine: :sqlite).call { |done, all| … }
    class Conversion
      BATCH = 1000 # roots in one transaction of an SQLite store
      SUFFIX = ".frugal-convert"
      private_constant :BATCH, :SUFFIX

      # @return [Hash] the options of the old and of the new store
      attr_reader :from, :to

      # @param options [Hash] of the new store; by default by the extension of its name, else `engine: :file` and the
      #   serializer of the old store
      # @raise [UsageError, CorruptStore, SystemCallError]
      def initialize(source, target, force: false, **options)
        check_files(source, target)
        if same?(source, target)
          raise UsageError, "#{source} and #{target} are the same file: name another one, and rename it afterwards"
        end

        check_target(target, force)
        @source = source
        @target = target
        @force = force
        @expiring = 0 # roots that may expire before they are counted in the new store
        @from = Format.of(source)
        @to = { engine: :file, serializer: @from[:serializer], **Format.by_name(target), **options.compact }
      end

      # @yieldparam done [Integer] roots
      # @yieldparam all [Integer]
      # @return [Integer] the number of roots
      # @raise [Error] for a root that the new store cannot store
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

      def check_files(*paths)
        return unless paths.any? { |path| Format.url?(path) }

        raise UsageError, "a store on a Redis server is no file: copy the roots in Ruby, with each and write"
      end

      def same?(source, target) = File.exist?(target) && File.identical?(source, target)

      # Even with force, a device or a pipe is not replaced.
      def check_target(target, force)
        return unless File.exist?(target) || File.symlink?(target)

        raise_exists(target) unless force
        raise UsageError, "#{target} is not a regular file: name another one, or remove it" unless File.file?(target)
      end

      def raise_exists(target) = raise(UsageError, "#{target} already exists: name another one, or use --force")

      # Gives the new file the rights of the old one; until then only its owner may read it.
      def give_rights
        old = File.stat(@source)
        File.chown(old.uid, old.gid, @temporary) if Process.euid.zero?
        File.chmod(old.mode & 0o777, @temporary)
      end

      # Copies all roots. Locks the old store, if its file is writable, so no other process writes to it.
      def copy(&block)
        source = Store.new(@source, **@from)
        target = Store.new(@temporary, **@to)
        File.open(@temporary, File::WRONLY | File::CREAT | File::EXCL, 0o600) {}
        @serializer = Serializer.of(@to[:serializer], false)
        source.transaction(!File.writable?(@source)) do
          keys = source.keys
          done = 0
          keys.each_slice(batch(keys.size)) do |slice|
            target.transaction { slice.each { |key| put(target, source, key, done += 1, keys.size, &block) } }
          end
          target.transaction {} if keys.empty?
          check_count(target.keys.size, keys.size)
          source.abort
        end
        target.keys.size
      ensure
        [source, target].compact.each(&:close)
      end

      # @return [Integer] how many roots one transaction writes; the engine +:file+ writes all at once
      def batch(all) = @to[:engine] == :file ? [all, 1].max : BATCH

      def check_count(count, all)
        return if count.between?(all - @expiring, all)

        raise Error, "#{count} of #{all} roots arrived in #{@target}: " \
                     "some keys that differ in the old store are equal in the new one"
      end

      # Dumps the value first, so the message of a failure can name its root.
      def put(target, source, key, done, all)
        value = source[key]
        @serializer.dump_value(value) unless @to[:serializer] == :marshal
        left = source.ttl(key)
        @expiring += 1 if left
        target.write(key, value, expires_in: left)
        yield done, all if block_given?
      rescue UsageError, TypeError => e
        raise Error, "the root #{key.inspect} cannot be converted: #{e.message}"
      end

      # Gives the new file its name. Without force, link fails if another process has created the target meanwhile.
      def place
        return File.link(@temporary, @target) unless @force && File.exist?(@target)

        if File.size?("#{@target}-wal")
          raise UsageError, "#{@target} is in use, because #{@target}-wal exists: close it in all programs first"
        end

        File.open(@target, "rb") do |old|
          old.flock(File::LOCK_EX)
          File.rename(@temporary, @target)
        end
      rescue Errno::EEXIST
        raise_exists(@target)
      end

      def remove
        ["", "-wal", "-shm", "-turn"].map { |suffix| "#{@temporary}#{suffix}" }.each do |file|
          File.unlink(file) if FileTest.exist?(file)
        end
      end
    end
  end
end
