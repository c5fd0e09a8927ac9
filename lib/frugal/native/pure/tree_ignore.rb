# frozen_string_literal: true

require_relative "ignore_rules"
require_relative "system_name"

module Frugal
  module Native
    module Pure
      # The twin of ext/frugal/core/ignore_files.c and tree_ignore.c: what git
      # would not list of a tree.
      #
      #   ignore = TreeIgnore.new("repository/src")
      #   node.rules = ignore.rules("repository/src", [".gitignore", "a.o"])
      #   ignore.judge(node, &:rules).call("repository/src/a.o", "a.o", false)   # => true
      class TreeIgnore
        include SystemName

        MOST_BYTES = 100 * 1024 * 1024 # git's own limit
        RULES = ".gitignore"
        REPOSITORY = ".git"

        # A file of rules. +bytes+ show whether it has changed; +error+ is an errno.
        RuleFile = Struct.new(:path, :bytes, :error, :rules) do
          # @param followed [Boolean] whether it may be a link
          def self.read(path, followed:)
            name = SystemName.system_name(path)
            stat = followed ? File.stat(name) : File.lstat(name)
            return new(path) unless stat.file?
            return new(path, nil, Errno::EFBIG::Errno) if stat.size > MOST_BYTES

            bytes = File.binread(name)
            new(path, bytes, nil, IgnoreRules.parse(bytes))
          rescue Errno::ENOENT, Errno::ENOTDIR
            new(path)
          rescue SystemCallError => error
            new(path, nil, error.errno)
          end

          def says = [bytes, error]
          def failure = error && [path, error]
        end

        # What a directory says itself: its .gitignore, and info/exclude of the
        # repository that it is.
        Rules = Struct.new(:own, :exclude, :stamp) do
          def says = [own&.says, exclude&.says]
          def failures = [own, exclude].compact.filter_map(&:failure)
        end

        # Rules above the root, and how many bytes of {#prefix} they know nothing of.
        Level = Struct.new(:file, :base)

        # @param root [String]
        # @raise [SystemCallError] where it has no path
        def initialize(root)
          @root = root.b
          @prefix = "".b # the root's path from its repository's, a slash at its end
          @levels = []
          look_above(File.realpath(root).b) unless repository(root)
          @out = out?
        end

        # Whether another one of the same root would say the same.
        def says = [@prefix, @levels.map { |level| level.file.says }]

        def failures = @levels.filter_map { |level| level.file.failure }

        # @param names [Array<String>] of a directory; .git is taken out
        # @yield when its .gitignore is about to be read
        # @return [Rules, nil] what it says itself
        def rules(directory, names)
          exclude = repository(directory) if names.delete(REPOSITORY)
          own = names.include?(RULES) && File.ftype(system_name("#{directory}/#{RULES}")) == "file"
          return unless own || exclude

          stamp = yield if own && block_given?
          Rules.new((RuleFile.read("#{directory}/#{RULES}", followed: false) if own), (RuleFile.read(exclude, followed: true) if exclude), stamp)
        end

        # @yieldparam node [Tree::Node] returns its {Rules}
        # @return [Proc, nil] of a path in that directory, its name, and whether it is
        #   a directory: is it ignored? nil where nothing is
        def judge(node, &rules)
          return ->(*) { true } if @out

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

        # The deepest first: rules, and how a path from the root's becomes one of theirs.
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
          found + @levels.filter_map { |level| [level.file.rules, @prefix.byteslice(level.base..), taken] if level.file.rules }
        end

        # @return [String, nil] the path of its info/exclude, where it is a repository's
        def repository(directory)
          directory = directory.b.delete_suffix("/")
          return "#{directory}/.git/info/exclude" if there?("#{directory}/.git/HEAD")

          elsewhere(directory) if File.file?(system_name("#{directory}/.git"))
        end

        # A work tree of its own, or a submodule: .git is a file that names the folder.
        def elsewhere(directory)
          named = File.binread(system_name("#{directory}/.git"))[/\Agitdir: ([^\0]*[^\0\r\n])[\r\n]*\z/n, 1] or return
          folder = named.start_with?("/") ? named : "#{directory}/#{named}"
          return unless there?("#{folder}/HEAD")

          main = common(folder)
          main = "#{folder}/#{main}" unless main.nil? || main.start_with?("/")
          "#{main || folder}/info/exclude"
        rescue SystemCallError
          nil
        end

        def common(folder)
          File.binread(system_name("#{folder}/commondir"))[/\A([^\0]*[^\0\r\n])[\r\n]*\z/n, 1]
        rescue SystemCallError
          nil
        end

        def there?(path)
          File.lstat(system_name(path)) && true
        rescue SystemCallError
          false
        end

        def look_above(real)
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

        # Whether one of the directories from the repository's down to the root is ignored.
        def out?
          (0...@prefix.bytesize).any? do |at|
            next unless @prefix.getbyte(at) == 47

            path = @prefix.byteslice(0, at)
            name = path[/[^\/]+\z/n]
            knowing = @levels.select { |level| level.file.rules && level.base <= at - name.bytesize }
            verdict(knowing.map { |level| [level.file.rules, "".b, level.base] }, path, name, true) == :out
          end
        end
      end
    end
  end
end
