# frozen_string_literal: true

module Frugal
  module Profile
    # The programs that were executed and left no log: the dynamic loader preloads nothing into them, or they could not
    # create the file.
    #
    #   Unrecorded.of(logs).map(&:to_a)   # => [["/usr/bin/sudo", "it is a setuid program"]]
    module Unrecorded
      # `path` is the file that was executed, `reason` half a sentence.
      Program = Struct.new(:path, :reason)

      SETUID = "it is a setuid program"
      STATIC = "it is statically linked"
      OTHER = "it could not create a log (other user, chroot, other libc, or no free descriptor)"
      EXECUTED = %i[exec spawn].freeze
      INTERPRETER = 3 # PT_INTERP, the program header of ELF that names the dynamic loader
      private_constant :SETUID, :STATIC, :OTHER, :EXECUTED, :INTERPRETER

      class << self
        # *Cost*: one pass over the calls; for each such program, one read of the first page of its file.
        #
        # @param logs [Array<Log>]
        # @return [Array<Program>] in the order of time
        def of(logs)
          starts = logs.map(&:process).group_by(&:pid).transform_values { |images| images.map(&:started).max }
          lost = executions(logs).reject { |pid, call| starts.fetch(pid, 0) >= call.time }
          lost.map { |_, call| found(call.path).then { |path| Program.new(path, reason(path)) } }
        end

        private

        # Finds the last program that each process executed.
        #
        # @return [Array<Array(Integer, Call)>] pid and call
        def executions(logs)
          calls = logs.flat_map { |log| log.calls.select { |call| EXECUTED.include?(call.name) } }.sort_by(&:time)
          last = calls.each_with_object({}) do |call, found|
            pid = call.name == :spawn ? call.bytes : call.process.pid
            call.failed? ? found.delete(pid) : found[pid] = call
          end
          last.sort_by { |_, call| call.time }
        end

        # execvp(3) looks for a name without a slash in the folders of PATH.
        def found(path)
          return path if File.exist?(path)

          folders = ENV.fetch("PATH", "").split(File::PATH_SEPARATOR)
          folders.map { |folder| File.join(folder, File.basename(path)) }.find { |file| File.executable?(file) } || path
        end

        def reason(path)
          stat = File.stat(path)
          return SETUID if stat.setuid? || stat.setgid?

          static?(File.binread(path, 4096)) ? STATIC : OTHER
        rescue SystemCallError
          OTHER
        end

        # @param bytes [String] the beginning of a file, with the program headers of an ELF
        def static?(bytes)
          return false unless bytes.start_with?("\x7FELF\x02".b) && bytes.bytesize >= 64

          offset, size, count = bytes.unpack1("Q<", offset: 32), *bytes.unpack("S<2", offset: 54)
          (0...count).none? { |number| bytes.unpack1("L<", offset: offset + (number * size)) == INTERPRETER }
        end
      end
    end
  end
end
