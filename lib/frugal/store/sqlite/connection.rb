# frozen_string_literal: true

require_relative "../../error"

begin
  require "sqlite3"
rescue LoadError
  raise Frugal::UsageError, "engine: :sqlite needs the gem sqlite3, which is not installed: " \
                            "add gem \"sqlite3\", \"~> 2.0\" to the Gemfile, or gem install sqlite3"
end
require_relative "statements"
require_relative "turns"
require_relative "schema" # after sqlite3: if the gem is missing, SQLite must stay undefined and its autoload valid

module Frugal
  class Store
    module SQLite
      # A connection to an SQLite file of roots, with prepared statements. While another
      # process has locked the file, it waits in Ruby, so an interrupt can end the wait.
      class Connection
        SYNCHRONOUS = { fast: "OFF", atomic: "NORMAL", durable: "FULL" }.freeze
        FAULTS = { "Full" => Errno::ENOSPC, "IO" => Errno::EIO, "ReadOnly" => Errno::EROFS, "CantOpen" => Errno::EACCES,
                   "Permission" => Errno::EACCES }
                 .transform_keys { |name| SQLite3.const_get("#{name}Exception") }.freeze
        CORRUPT = [SQLite3::CorruptException, SQLite3::NotADatabaseException, SQLite3::SQLException].freeze
        FIRST_PAUSE = 0.0005 # seconds between two attempts to lock; doubled each time
        LONGEST_PAUSE = 0.01
        private_constant :SYNCHRONOUS, :FAULTS, :CORRUPT, :FIRST_PAUSE, :LONGEST_PAUSE

        # @param path [String]
        # @param write [Boolean] whether to create the file if it does not exist
        # @raise [CorruptStore, UsageError, SystemCallError]
        def initialize(path, durability:, serializer:, write:)
          @path = path
          @pid = Process.pid
          raise Errno::EISDIR, path if File.directory?(path)
          if File.exist?(path) && !File.file?(path)
            raise UsageError, "#{path} is not a regular file, so it cannot be a store"
          end

          @statements = {}
          # @pending is a statement that was not reset; @turns will be the file of turns, or false.
          @schema_version = @pending = @turns = nil
          begin
            @database ||= open(write)
            set_up(durability, serializer, write)
          rescue SQLite3::Exception => e
            pause = wait_or_raise(e, pause)
            retry
          end
          @inode = File.stat(path).ino
        rescue StandardError
          @database&.close
          raise
        end

        # Reports whether this process opened the connection, and the path still names the same file.
        def current?
          open? && File.stat(@path).ino == @inode
        rescue Errno::ENOENT
          false
        end

        # Reports whether this process can use the connection.
        def open? = @pid == Process.pid && !@database.closed?

        # Reports whether there is no table of roots. A reader does not create the table.
        def empty? = @empty

        # @return [Array, nil] the first row
        def first(name, *values)
          statement = ready(name, values)
          row = statement.step
          done(statement)
          row
        rescue SQLite3::Exception => e
          pause = wait_or_raise(e, pause, statement)
          retry
        end

        # @return [Array<Array>]
        def rows(name, *values)
          statement = ready(name, values)
          rows = []
          while (row = statement.step)
            rows << row
          end
          done(statement)
          rows
        rescue SQLite3::Exception => e
          pause = wait_or_raise(e, pause, statement)
          retry
        end

        # @return [Array] the first column
        def column(name, *values) = rows(name, *values).map!(&:first)

        # Reports whether the table has the column of deadlines, which another process may add at any time.
        #
        # *Cost*: one statement, which reads a number from a page that the transaction needs anyway.
        def expiring?
          version = first(:schema_version)
          return @expiring if version == @schema_version

          @expiring = !first(:expires_column).nil?
          @schema_version = version
          @expiring
        end

        # Adds the column of deadlines. Must be called in a transaction that may write.
        def add_expiry = ADD_EXPIRY.each { |statement| @database.execute(statement) }

        # @return [Symbol] the serializer of the values
        attr_reader :serializer

        # Waits without a limit for the turn to write, first come, first served. SQLite's own lock, which is taken next,
        # excludes other programs.
        #
        # *Cost*: fcntl; the first time, two more calls.
        def take_turn
          @turns = Turns.open(@path) || false if @turns.nil?
          Wait.for_turn(@turns, nil) if @turns
        end

        # *Cost*: fcntl
        def end_turn
          @turns.end_turn if @turns
        end

        # Reports whether this process is in a transaction.
        def in_transaction? = open? && @database.transaction_active?

        # Does nothing in a child of the process that opened the connection.
        def close
          return unless open?

          @statements.each_value(&:close)
          @database.close
          @turns.close if @turns
        end

        private

        def prepare(name) = @statements[name] = @database.prepare(STATEMENTS.fetch(name))

        # Resets the last statement first: an interrupt may have occurred between its step and
        # its reset, and the next step of a statement that was not reset would do nothing.
        def ready(name, values)
          @pending&.reset!
          statement = @statements[name] || prepare(name)
          bind(statement, values) unless values.empty?
          @pending = statement
        end

        def done(statement)
          statement.reset!
          @pending = nil
        end

        def bind(statement, values)
          index = 0
          while index < values.size
            statement.bind_param(index + 1, values[index])
            index += 1
          end
        end

        def open(write)
          flags = SQLite3::Constants::Open
          return SQLite3::Database.new(@path, flags: flags::READWRITE | flags::CREATE) if write || File.writable?(@path)

          SQLite3::Database.new(@path, flags: flags::READONLY)
        end

        def set_up(durability, serializer, write)
          schema = Schema.new(@database, @path)
          @serializer = serializer
          @empty = !schema.made?
          return if @empty && !write

          schema.make(serializer) if @empty
          @empty = false
          @serializer = schema.serializer(serializer)
          @database.execute("PRAGMA synchronous = #{SYNCHRONOUS.fetch(durability)}")
          @database.execute("PRAGMA cache_size = -65536") # at most 64 MiB, allocated as needed
        end

        # Sleeps if the file is locked; raises Ruby's or frugal's error for anything else.
        #
        # @param pause [Float, nil] how long the last call slept, in seconds
        # @return [Float] how long this call slept
        def wait_or_raise(error, pause, statement = nil)
          statement&.reset!
          case error
          when SQLite3::BusyException
            (pause ? [pause * 2, LONGEST_PAUSE].min : FIRST_PAUSE).tap { |seconds| sleep(seconds) }
          when *CORRUPT
            raise CorruptStore,
                  "#{@path} cannot be read as SQLite: #{error.message}; next: frugal store verify #{@path}"
          when *FAULTS.keys then raise FAULTS.fetch(error.class), "#{@path} (SQLite: #{error.message})"
          else raise error
          end
        end
      end
    end
  end
end
