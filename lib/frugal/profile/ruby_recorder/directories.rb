# frozen_string_literal: true

# Methods that list directories: one opendir, one readdir for the whole listing, one closedir.
module Directories
  class << self
    # @return [void]
    def install
      Wrappers.around(Dir.singleton_class, self, :listing, %w[children entries empty?])
      Wrappers.around(Dir, self, :open, %w[initialize])
      Wrappers.around(Dir, self, :read, %w[children])
      Wrappers.around(Dir, self, :close, %w[close])
      Dir.singleton_class.prepend(Listings::Blocks)
      Dir.prepend(Listings::Entries)
    end

    def listing(call)
      path = Values.absolute(call.args.first)
      call.event(:opendir, path: path)
      return if call.error

      call.event(:readdir, path: path, bytes: Array === call.result ? call.result.size : 0)
      call.event(:closedir, path: path)
    end

    def open(call) = call.event(:opendir, path: Values.absolute(call.args.first))

    def read(call)
      call.event(:readdir, path: Values.absolute(call.receiver.path), bytes: call.result.to_a.size)
    end

    def close(call) = call.event(:closedir, path: Values.absolute(call.receiver.path))

    # Records a listing whose entries went to a block of the program. Its opendir is already recorded.
    #
    # @return [void]
    def listed(path, *functions)
      start = Recorder.enter or return
      Recorder.leave do
        path = Values.absolute(path)
        functions.each_with_index do |function, index|
          Recorder.append(function, time: start + index, path: path, stack: Stacks.here)
        end
      end
    end

    # Records one listing, of the folder in which the first pattern begins: the other folders that Ruby lists are
    # unknown.
    def glob(call)
      pattern = Array(call.args.first).first
      options = Hash === call.args.last ? call.args.last : {}
      path = Values.absolute(base(pattern, options[:base]))
      call.event(:opendir, path: path)
      call.event(:readdir, path: path, bytes: call.result.to_a.size)
      call.event(:closedir, path: path)
    end

    private

    # @return [Object] the folder in which a pattern begins: its part before the first component with a wildcard
    def base(pattern, folder)
      fixed = pattern.to_s[/\A[^*?\[{\\]*/]
      fixed = fixed[0, fixed.rindex("/") || 0]
      return folder || "." if fixed.empty? && !pattern.to_s.start_with?("/")

      folder ? File.join(folder.to_s, fixed) : "#{fixed}/"
    end
  end
end
