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
      Dir.singleton_class.prepend(Blocks)
      Dir.prepend(Entries)
    end

    def listing(call)
      path = Wrappers::Values.absolute(call.args.first)
      call.event(:opendir, path: path)
      return if call.error

      call.event(:readdir, path: path, bytes: Array === call.result ? call.result.size : 0)
      call.event(:closedir, path: path)
    end

    def open(call) = call.event(:opendir, path: Wrappers::Values.absolute(call.args.first))

    def read(call)
      call.event(:readdir, path: Wrappers::Values.absolute(call.receiver.path), bytes: call.result.to_a.size)
    end

    def close(call) = call.event(:closedir, path: Wrappers::Values.absolute(call.receiver.path))

    # A listing whose entries went to a block of the program. Its opendir is recorded already.
    #
    # @return [void]
    def listed(path, *functions)
      start = Recorder.enter or return
      Recorder.leave do
        path = Wrappers::Values.absolute(path)
        functions.each_with_index do |function, index|
          Recorder.append(function, time: start + index, path: path, stack: Stacks.here)
        end
      end
    end

    # One listing, of the folder in which the patterns begin: which others Ruby lists is not known.
    def glob(call)
      pattern = Array(call.args.first).first
      options = Hash === call.args.last ? call.args.last : {}
      path = Wrappers::Values.absolute(base(pattern, options[:base]))
      call.event(:opendir, path: path)
      call.event(:readdir, path: path, bytes: call.result.to_a.size)
      call.event(:closedir, path: path)
    end

    private

    # @return [Object] where a pattern begins: the folders before the first one that is not fixed
    def base(pattern, folder)
      fixed = pattern.to_s[/\A[^*?\[{\\]*/]
      fixed = fixed[0, fixed.rindex("/") || 0]
      return folder || "." if fixed.empty? && !pattern.to_s.start_with?("/")

      folder ? File.join(folder.to_s, fixed) : "#{fixed}/"
    end
  end

  # Class methods of Dir that call a block of the program while they run.
  module Blocks
    # Ruby closes it after the block, as here.
    ruby2_keywords def open(*args, &block)
      directory = Wrappers.run(Directories, :open, self, :open, args) { super(*args, &nil) }
      return directory unless block

      begin
        yield directory
      ensure
        Exceptions.trim($!) if $!
        directory.close
      end
    end

    %w[each_child foreach].each do |name|
      module_eval(<<~RUBY, __FILE__, __LINE__ + 1)
        ruby2_keywords def #{name}(*args, &block)
          return super(*args, &block) unless block
          before = $!
          begin
            super(*args, &block)
          ensure
            error = $!
            Exceptions.trim(error) unless error.equal?(before)
            Directories.listed(args.first, :readdir, :closedir) unless SystemCallError === error && !error.equal?(before)
          end
        end
      RUBY
    end

    %w[glob []].each do |name|
      module_eval(<<~RUBY, __FILE__, __LINE__ + 1)
        ruby2_keywords def #{name}(*args, &block)
          found = Wrappers.run(Directories, :glob, self, :#{name == "[]" ? "glob" : name}, args) { super(*args, &nil) }
          return found unless block
          found.each(&block)
          nil
        end
      RUBY
    end
  end

  # The same for an open directory.
  module Entries
    %w[each each_child].each do |name|
      module_eval(<<~RUBY, __FILE__, __LINE__ + 1)
        def #{name}(&block)
          return super(&block) unless block
          begin
            super(&block)
          ensure
            Exceptions.trim($!) if $!
            Directories.listed(path, :readdir)
          end
        end
      RUBY
    end
  end
  private_constant :Blocks, :Entries
end
