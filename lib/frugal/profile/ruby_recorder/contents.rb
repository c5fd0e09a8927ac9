# frozen_string_literal: true

# Methods that open, read, write and close files. A method that does all of it stands for as many calls as the C library
# needs at least. Not here: what reads through Ruby's buffer (gets, each_line, read with a length), since it makes no
# call each time; and IO.foreach, gets and readline set `$_` of their caller, which a function around them cannot.
module Contents
  MODES = { "r" => 0, "w" => File::WRONLY | File::CREAT | File::TRUNC, "a" => File::WRONLY | File::CREAT | File::APPEND }.freeze
  PLUS = { "r" => File::RDWR, "w" => File::RDWR | File::CREAT | File::TRUNC, "a" => File::RDWR | File::CREAT | File::APPEND }.freeze
  private_constant :MODES, :PLUS

  class << self
    # @return [void]
    def install
      io = IO.singleton_class
      Wrappers.around(io, self, :whole_read, %w[read binread readlines])
      Wrappers.around(io, self, :whole_write, %w[write binwrite])
      Wrappers.around(io, self, :sysopen, %w[sysopen])
      Wrappers.around(io, self, :copy, %w[copy_stream])
      Wrappers.around(File, self, :open, %w[initialize])
      Wrappers.around(File, self, :read, %w[read readlines sysread readpartial read_nonblock pread])
      Wrappers.around(File, self, :write, %w[write syswrite write_nonblock pwrite])
      Wrappers.around(File, self, :seek, %w[seek sysseek rewind pos=])
      Closing.install
    end

    # @param mode [Object] as of File.open
    # @param options [Hash]
    # @return [Integer] flags of open(2)
    def flags(mode, options)
      mode = options[:mode] if mode.nil? && options.key?(:mode)
      extra = options[:flags].to_i
      return mode | extra if Integer === mode

      text = mode.to_s.b
      table = text.include?("+") ? PLUS : MODES
      table.fetch(text[0].to_s, 0) | (text[/\A[^:]*/].include?("x") ? File::EXCL : 0) | extra
    end

    def open(call)
      name, mode = call.args
      return if Integer === name # a file of a descriptor that is open

      options = Hash === call.args.last ? call.args.last : {}
      mode = nil if Hash === mode
      opened(call, name, flags(mode, options), (call.receiver.fileno unless call.error))
    end

    def sysopen(call)
      name, mode = call.args
      opened(call, name, flags(mode, {}), call.result)
    end

    def whole_read(call)
      name, length, offset = call.args
      fd = Wrappers::Values.descriptor
      return if command?(call, name) || !opened(call, name, 0, fd)

      text = Array === call.result ? call.result.join : call.result.to_s
      path = Wrappers::Values.absolute(name)
      call.event(:fstat, path: path, fd: fd, bytes: text.bytesize) unless Integer === length || offset
      reads(call, path, fd, text, !(Integer === length))
      call.event(:close, path: path, fd: fd)
    end

    def whole_write(call)
      name, text, offset = call.args
      options = Hash === call.args.last ? call.args.last : {}
      return if command?(call, name)

      default = File::WRONLY | File::CREAT | (Integer === offset ? 0 : File::TRUNC)
      flags = options.key?(:mode) || options.key?(:flags) ? flags(nil, options) : default
      fd = Wrappers::Values.descriptor
      return unless opened(call, name, flags, fd)

      path = Wrappers::Values.absolute(name)
      text = text.to_s
      unless text.empty?
        call.event(:write, path: path, fd: fd, bytes: call.result, result: Wrappers::Values.content(text))
      end
      call.event(:close, path: path, fd: fd)
    end

    def copy(call)
      from, to = call.args
      return if call.error || !(String === from && String === to)

      files = [from, to].to_h { |name| [Wrappers::Values.absolute(name), Wrappers::Values.descriptor] }
      [0, MODES["w"]].zip(files) { |flags, (path, fd)| opened(call, path, flags, fd) }
      call.event(:copy_file_range, path: files.keys.last, fd: files.values.last, bytes: call.result)
      files.each { |path, fd| call.event(:close, path: path, fd: fd) }
    end

    def read(call)
      buffered = call.name == :read && !call.args.first.nil?
      return if buffered || call.result.nil? && !call.error

      text = Array === call.result ? call.result.join : call.result.to_s
      file = call.receiver
      path = Wrappers::Values.absolute(file.path)
      whole = %i[read readlines].include?(call.name)
      return call.event(:read, path: path, fd: file.fileno) if text.empty?

      pread = call.name == :pread
      reads(call, path, file.fileno, text, whole, pread ? :pread : :read)
    end

    def write(call)
      file = call.receiver
      texts = (call.name == :write ? call.args : call.args.first(1)).map(&:to_s)
      text = texts.size == 1 ? texts.first : texts.map(&:b).join
      return if text.empty?

      call.event(call.name == :pwrite ? :pwrite : :write, path: Wrappers::Values.absolute(file.path), fd: file.fileno,
                                                          bytes: call.result.to_i,
                                                          result: Wrappers::Values.content(text))
    end

    def seek(call)
      file = call.receiver
      call.event(:lseek, path: Wrappers::Values.absolute(file.path), fd: file.fileno)
    end

    private

    # @return [Boolean] whether it is open
    def opened(call, name, flags, descriptor)
      call.event(:open, path: Wrappers::Values.absolute(name), flags: flags, fd: descriptor)
      call.error.nil?
    end

    def reads(call, path, descriptor, text, whole, function = :read)
      size = text.bytesize
      unless size.zero?
        call.event(function, path: path, fd: descriptor, bytes: size, result: Wrappers::Values.content(text))
      end
      call.event(:read, path: path, fd: descriptor) if whole # the one that finds the end
    end

    # IO.read("|command")
    def command?(call, name) = String === name && name.start_with?("|") && IO.equal?(call.receiver)
  end

  # A closed file has no descriptor, so it is asked before.
  module Closing
    # @return [void]
    def self.install
      File.prepend(Extension)
    end

    # @return [void]
    def self.closed(path, descriptor, start)
      Recorder.leave do |time|
        Recorder.append(:close, time: start, duration: time - start, path: Wrappers::Values.absolute(path),
                                fd: descriptor, stack: Stacks.here)
      end
    end

    # Around File#close.
    module Extension
      def close
        return super if closed? || (start = Recorder.enter).nil?

        path = self.path
        descriptor = fileno
        begin
          super
        ensure
          Closing.closed(path, descriptor, start)
        end
      end
    end
    private_constant :Extension
  end
end
