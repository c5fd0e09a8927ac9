# frozen_string_literal: true

require_relative "glob"

module Frugal
  module Walk
    # What a walk is to list: the options of {Walk}, checked, and in the words of
    # the engine.
    #
    #   Walk::Options.new(ext: "c", follow: :once).list("src")   # => PathList
    class Options
      FOLLOW = [false, nil, :paths, :once].freeze
      COLUMNS = %i[mtime size].freeze

      def initialize(glob: nil, ext: nil, prune: nil, hidden: false, gitignore: false, follow: false, stat: nil, sort: true,
                     threads: nil, on_error: nil)
        @columns = Array(stat)
        @on_error = on_error
        @globs = texts(:glob, glob)&.map { |pattern| Glob.new(pattern, hidden: hidden) }
        check(follow, threads)
        @native = {
          follow: follow || nil, hidden: hidden || @globs&.any?(&:dots?) ? true : false, stat: !@columns.empty?, sort: sort || follow == :once ? true : false,
          gitignore: gitignore ? true : false, threads: threads, prune: texts(:prune, prune), suffixes: texts(:ext, ext)&.map { |name| ".#{name.delete_prefix(".")}" }
        }
      end

      # @return [PathList, nil]
      def list(root)
        tree = Native.engine::Tree.list(root, narrowed) or return
        report(tree)
        PathList.new(tree, @columns, chosen(root, tree))
      end

      # @return [true, nil]
      def each(root, &block)
        return stream(root, &block) unless @native[:sort] || @native[:follow] == :once

        list(root)&.each(&block) && true
      end

      # @return [Native::C::TreeSnapshot, Native::Pure::TreeSnapshot]
      def snapshot(root)
        Native.engine::TreeSnapshot.take(root, narrowed).tap { |tree| report(tree) }
      end

      # @param paths [Array<String>] of a snapshot's
      # @return [Array<String>] those that a walk would list
      def choose(root, paths)
        every? || paths.empty? ? paths : paths.values_at(*matching(root, paths))
      end

      # Tells on_error what could not be read.
      def report(tree)
        return unless @on_error

        tree.failures.each { |path, errno| @on_error.call(path, SystemCallError.new(path, errno)) }
      end

      private

      def check(follow, threads)
        FOLLOW.include?(follow) or raise UsageError, "follow: is false, :paths or :once, not #{follow.inspect}"
        unknown = @columns - COLUMNS
        unknown.empty? or raise UsageError, "stat: knows :mtime and :size, not #{unknown.first.inspect}"
        return if threads.nil? || (threads.is_a?(Integer) && threads.positive?)

        raise UsageError, "threads: is a number from 1, not #{threads.inspect}"
      end

      def texts(option, value)
        return if value.nil?

        Array(value).map do |text|
          text.respond_to?(:to_str) or raise UsageError, "#{option}: takes Strings, not #{text.inspect}"
          text.to_str.tap { |string| string.include?("\0") and raise UsageError, "#{option}: has a NUL byte: #{string.inspect}" }
        end
      end

      # One glob may say how deep it looks, and how its names end.
      def narrowed
        glob = @globs.first if @globs&.one?
        return @native unless glob

        suffixes = glob.suffixes unless @native[:suffixes]
        @native.merge(depth: glob.depth, suffixes: @native[:suffixes] || suffixes)
      end

      # @return [Array<Integer>, nil] nil: all of them
      def chosen(root, tree)
        return if every?

        matching(root, tree.to_a)
      end

      def every? = @globs.nil? || @globs.all?(&:all?) || narrowed?

      def narrowed? = @globs.one? && @globs.first.exact? && !@native[:suffixes]

      def matching(root, paths)
        from = below(root).bytesize
        paths.each_index.select do |i|
          relative = paths[i].byteslice(from..)
          @globs.any? { |glob| glob.match?(relative) }
        end
      end

      def below(root)
        path = File.path(root)
        path.end_with?("/") ? path : "#{path}/"
      end

      def stream(root)
        from = below(root).bytesize
        every = every?
        tree = Native.engine::Tree.stream(root, narrowed) do |paths|
          paths.each { |path| yield path if every || @globs.any? { |glob| glob.match?(path.byteslice(from..)) } }
        end
        report(tree) if tree
        tree && true
      end
    end
  end
end
