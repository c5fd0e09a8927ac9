# frozen_string_literal: true

# Methods that open, read, write and close files. A method that does all of this is recorded as the minimum of calls
# that it needs in the C library. Methods that read through Ruby's buffer (gets, each_line, read with a length) are not
# recorded, since they do not make a call each time; Input records those that wait. IO.foreach, gets and readline also
# set `$_` of their caller, which a wrapper cannot do.
module Contents
  EMPTY = File::CREAT | File::TRUNC
  END_ONLY = File::CREAT | File::APPEND
  MODES = { "r" => 0, "w" => File::WRONLY | EMPTY, "a" => File::WRONLY | END_ONLY }.freeze
  PLUS = { "r" => File::RDWR, "w" => File::RDWR | EMPTY, "a" => File::RDWR | END_ONLY }.freeze
  private_constant :EMPTY, :END_ONLY, :MODES, :PLUS

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

    # @param mode [Object] as in File.open
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
      return if Integer === name # a file made from an open descriptor

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
      descriptor = Values.descriptor
      return if command?(call, name) || !opened(call, name, 0, descriptor)

      text = Array === call.result ? call.result.join : call.result.to_s
      path = Values.absolute(name)
      call.event(:fstat, path: path, descriptor: descriptor, bytes: text.bytesize) unless Integer === length || offset
      reads(call, path, descriptor, text, !(Integer === length))
      call.event(:close, path: path, descriptor: descriptor)
    end

    def whole_write(call)
      name, text, offset = call.args
      options = Hash === call.args.last ? call.args.last : {}
      return if command?(call, name)

      default = File::WRONLY | File::CREAT | (Integer === offset ? 0 : File::TRUNC)
      flags = options.key?(:mode) || options.key?(:flags) ? flags(nil, options) : default
      descriptor = Values.descriptor
      return unless opened(call, name, flags, descriptor)

      path = Values.absolute(name)
      text = text.to_s
      unless text.empty?
        call.event(:write, path: path, descriptor: descriptor, bytes: call.result, result: Values.content(text))
      end
      call.event(:close, path: path, descriptor: descriptor)
    end

    def copy(call)
      from, to = call.args
      return if call.error || !(String === from && String === to)

      files = [from, to].to_h { |name| [Values.absolute(name), Values.descriptor] }
      [0, MODES["w"]].zip(files) { |flags, (path, descriptor)| opened(call, path, flags, descriptor) }
      call.event(:copy_file_range, path: files.keys.last, descriptor: files.values.last, bytes: call.result)
      files.each { |path, descriptor| call.event(:close, path: path, descriptor: descriptor) }
    end

    def read(call)
      read_events(call)
      call.wait if Waits.read(call.receiver, call.args, call.result, call.error)
    end

    def read_events(call)
      buffered = call.name == :read && !call.args.first.nil?
      return if buffered || Symbol === call.result || (call.result.nil? && !call.error)

      text = Array === call.result ? call.result.join : call.result.to_s
      file = call.receiver
      path = Values.absolute(file.path)
      whole = %i[read readlines].include?(call.name)
      return call.event(:read, path: path, descriptor: file.fileno) if text.empty?

      pread = call.name == :pread
      reads(call, path, file.fileno, text, whole, pread ? :pread : :read)
    end

    def write(call)
      file = call.receiver
      texts = (call.name == :write ? call.args : call.args.first(1)).map(&:to_s)
      text = texts.size == 1 ? texts.first : texts.map(&:b).join
      return if text.empty?

      call.event(call.name == :pwrite ? :pwrite : :write, path: Values.absolute(file.path), descriptor: file.fileno,
                                                          bytes: call.result.to_i,
                                                          result: Values.content(text))
    end

    def seek(call)
      file = call.receiver
      call.event(:lseek, path: Values.absolute(file.path), descriptor: file.fileno)
    end

    private

    # @return [Boolean] whether the file is open
    def opened(call, name, flags, descriptor)
      call.event(:open, path: Values.absolute(name), flags: flags, descriptor: descriptor)
      call.error.nil?
    end

    def reads(call, path, descriptor, text, whole, function = :read)
      size = text.bytesize
      unless size.zero?
        call.event(function, path: path, descriptor: descriptor, bytes: size, result: Values.content(text))
      end
      call.event(:read, path: path, descriptor: descriptor) if whole # the read that finds the end
    end

    # Reports whether it runs a command: IO.read("|command")
    def command?(call, name) = String === name && name.start_with?("|") && IO.equal?(call.receiver)
  end
end
