# frozen_string_literal: true

require_relative "ignore_rules"
require_relative "system_name"

module Frugal
  module Native
    module Pure
      # The pure twin of ext/frugal/core/ignore/ignore_files.c and tree_ignore.c: the rules by
      # which git ignores files of a tree.
      #
      #   ignore = TreeIgnore.new("repository/src")
      #   node.rules = ignore.rules("repository/src", [".gitignore", "a.o"])
      #   ignore.filter(node, &:rules).call("repository/src/a.o", "a.o", false)   # => true
      class TreeIgnore
        include SystemName

        MAX_BYTES = 100 * 1024 * 1024 # as in git
        RULES = ".gitignore"
        REPOSITORY = ".git"

        # A file of rules. `bytes` is its content, or nil; `error` is an errno, or nil.
        RuleFile = Struct.new(:path, :bytes, :error, :rules) do
          # @param followed [Boolean] whether to follow a link
          def self.read(path, followed:)
            name = SystemName.system_name(path)
            stat = followed ? File.stat(name) : File.lstat(name)
            return new(path) unless stat.file?
            return new(path, nil, Errno::EFBIG::Errno) if stat.size > MAX_BYTES

            bytes = File.binread(name)
            new(path, bytes, nil, IgnoreRules.parse(bytes))
          rescue Errno::ENOENT, Errno::ENOTDIR
            new(path)
          rescue SystemCallError => e
            new(path, nil, e.errno)
          end

          # @return [Array] equal as long as the content or the error is the same
          def state = [bytes, error]
          def failure = error && [path, error]
        end

        # The rules of one directory: its .gitignore, and the info/exclude file if it is a
        # repository. `git`: whether it has a .git, which is or may become a repository.
        Rules = Struct.new(:own, :exclude, :stamp, :git) do
          def state = [own&.state, exclude&.state]
          def failures = [own, exclude].compact.filter_map(&:failure)
        end

        # A file of rules above the root. Its patterns are relative to a directory whose path is the
        # first `base` bytes of @prefix.
        Level = Struct.new(:file, :base)

        # @param root [String]
        # @raise [SystemCallError] if File.realpath fails
        def initialize(root)
          @root = root.b
          @prefix = "".b # the root's path relative to its repository, with a slash at the end
          @levels = []
          read_above(File.realpath(root).b) unless repository(root)
          @root_ignored = root_ignored?
        end

        # @return [Array] equal as long as the rules above the root are the same
        def state = [@prefix, @levels.map { |level| level.file.state }]

        def failures = @levels.filter_map { |level| level.file.failure }

        # Reads the rules of a directory.
        #
        # @param names [Array<String>] of the directory; removes .git from them
        # @yield just before its .gitignore is read
        # @yieldreturn [Object] the `stamp` of the rules
        # @return [Rules, nil] nil if it has no rules
        def rules(directory, names)
          git = names.delete(REPOSITORY)
          exclude = repository(directory) if git
          own = names.include?(RULES) && File.ftype(system_name("#{directory}/#{RULES}")) == "file"
          return unless own || git

          stamp = yield if own && block_given?
          own = own ? RuleFile.read("#{directory}/#{RULES}", followed: false) : nil
          Rules.new(own, (RuleFile.read(exclude, followed: true) if exclude), stamp, git)
        end

        # @yieldparam node [Tree::Node]
        # @yieldreturn [Rules, nil] the rules of that node
        # @return [Proc, nil] reports whether an entry of the directory is ignored; its arguments are
        #   the path, the name, and whether it is a directory. nil if no rules apply.
        def filter(node, &rules)
          return ->(*) { true } if @root_ignored

          levels = levels(node, &rules)
          levels.empty? ? nil : ->(path, name, directory) { verdict(levels, path, name, directory) == :out }
        end

        private

        def verdict(levels, path, name, directory)
          levels.each do |rules, before, taken|
            verdict = rules.match(before + path.byteslice(taken..), name, directory)
            return verdict if verdict
          end
          nil
        end

        # The rules that apply in a directory, the deepest first. A path becomes relative to the
        # rules' directory by removing its first `taken` bytes and prepending `before`.
        def levels(node)
          found = []
          taken = nil
          while node
            rules = yield(node)
            taken = (node.parent ? node.path : @root.delete_suffix("/")).bytesize + 1
            [rules&.own, rules&.exclude].each { |file| found << [file.rules, "".b, taken] if file&.rules }
            return found if rules&.exclude

            node = node.parent
          end
          above = @levels.select { |level| level.file.rules }
          found + above.map { |level| [level.file.rules, @prefix.byteslice(level.base..), taken] }
        end

        # @return [String, nil] the path of info/exclude if the directory is a repository
        def repository(directory)
          directory = directory.b.delete_suffix("/")
          return "#{directory}/.git/info/exclude" if exists?("#{directory}/.git/HEAD")

          linked_repository(directory) if File.file?(system_name("#{directory}/.git"))
        end

        # In a linked work tree or a submodule, .git is a file with the path of the repository.
        def linked_repository(directory)
          content = File.binread(system_name("#{directory}/.git"))
          named = content[/\Agitdir: ([^\0]*[^\0\r\n])[\r\n]*\z/n, 1] or return
          folder = named.start_with?("/") ? named : "#{directory}/#{named}"
          return unless exists?("#{folder}/HEAD")

          main = common_folder(folder)
          main = "#{folder}/#{main}" unless main.nil? || main.start_with?("/")
          "#{main || folder}/info/exclude"
        rescue SystemCallError
          nil
        end

        def common_folder(folder)
          File.binread(system_name("#{folder}/commondir"))[/\A([^\0]*[^\0\r\n])[\r\n]*\z/n, 1]
        rescue SystemCallError
          nil
        end

        def exists?(path)
          File.lstat(system_name(path)) && true
        rescue SystemCallError
          false
        end

        # Reads the rules above the root, up to its repository.
        def read_above(real)
          below = []
          until real == "/"
            real, _, name = real.rpartition("/")
            real = "/" if real.empty?
            below.unshift(name)
            exclude = repository(real) or next
            @prefix = "#{below.join("/")}/"
            return read_levels(real, below, exclude)
          end
        end

        def read_levels(top, below, exclude)
          (below.size - 1).downto(0) do |depth|
            above = below.first(depth).map { |name| "#{name}/" }.join
            file = RuleFile.read("#{top.delete_suffix("/")}/#{above}#{RULES}", followed: false)
            @levels << Level.new(file, above.bytesize)
          end
          @levels << Level.new(RuleFile.read(exclude, followed: true), 0)
        end

        # Whether the root, or a directory between it and its repository, is ignored.
        def root_ignored?
          (0...@prefix.bytesize).any? do |at|
            next unless @prefix.getbyte(at) == 47

            path = @prefix.byteslice(0, at)
            name = path[%r{[^/]+\z}n]
            above = @levels.select { |level| level.file.rules && level.base <= at - name.bytesize }
            verdict(above.map { |level| [level.file.rules, "".b, level.base] }, path, name, true) == :out
          end
        end
      end
    end
  end
end
