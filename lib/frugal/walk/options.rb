# frozen_string_literal: true

require_relative "glob"

module Frugal
  module Walk
    # The options of {Walk}: checks them and converts them to those of the engine.
    #
    #   Walk::Options.new(ext: "c", follow: :once).list("src")   # => PathList
    class Options
      FOLLOW = [false, nil, :paths, :once].freeze
      COLUMNS = %i[mtime size].freeze

      def initialize(glob: nil, ext: nil, prune: nil, hidden: false, gitignore: false, follow: false, stat: nil,
                     sort: true, threads: nil, on_error: nil)
        @columns = Array(stat)
        @on_error = on_error
        @globs = strings(:glob, glob)&.map { |pattern| Glob.new(pattern, hidden: hidden) }
        check(follow, threads)
        @native = {
          follow: follow || nil, hidden: hidden || @globs&.any?(&:dots?) ? true : false, stat: !@columns.empty?,
          sort: sort || follow == :once ? true : false, gitignore: gitignore ? true : false, threads: threads,
          prune: strings(:prune, prune), suffixes: strings(:ext, ext)&.map { |name| ".#{name.delete_prefix(".")}" }
        }
      end

      # @return [PathList, nil]
      def list(root)
        tree = Native.engine::Tree.list(root, narrowed) or return
        report(tree)
        PathList.new(tree, @columns, indexes(root, tree))
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

      # @param paths [Array<String>] paths of a snapshot
      # @return [Array<String>] the paths that a walk with these options would list
      def choose(root, paths)
        all? || paths.empty? ? paths : paths.values_at(*matching(root, paths))
      end

      # Calls on_error for each directory that could not be read.
      def report(tree)
        return unless @on_error

        tree.failures.each { |path, errno| @on_error.call(path, SystemCallError.new(path, errno)) }
      end

      private

      def check(follow, threads)
        unless FOLLOW.include?(follow)
          raise UsageError, "follow: must be false, :paths or :once (got #{follow.inspect})"
        end

        unknown = @columns - COLUMNS
        raise UsageError, "stat: must be :mtime or :size (got #{unknown.first.inspect})" unless unknown.empty?
        return if threads.nil? || (threads.is_a?(Integer) && threads.positive?)

        raise UsageError, "threads: must be a positive Integer (got #{threads.inspect})"
      end

      def strings(option, value)
        return if value.nil?

        Array(value).map { |one| string(option, one) }
      end

      def string(option, value)
        raise UsageError, "#{option}: must be a String (got #{value.inspect})" unless value.respond_to?(:to_str)

        string = value.to_str
        raise UsageError, "#{option}: must not contain a NUL byte (got #{string.inspect})" if string.include?("\0")

        string
      end

      # The engine's options; a single glob can limit the depth and the names' endings.
      def narrowed
        glob = @globs.first if @globs&.one?
        return @native unless glob

        suffixes = glob.suffixes unless @native[:suffixes]
        @native.merge(depth: glob.depth, suffixes: @native[:suffixes] || suffixes)
      end

      # @return [Array<Integer>, nil] indexes of the paths that match; nil for all of them
      def indexes(root, tree)
        return if all?

        matching(root, tree.to_a)
      end

      # Whether all paths that the engine lists match.
      def all? = @globs.nil? || @globs.all?(&:all?) || narrowed?

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
        all = all?
        tree = Native.engine::Tree.stream(root, narrowed) do |paths|
          paths.each { |path| yield path if all || @globs.any? { |glob| glob.match?(path.byteslice(from..)) } }
        end
        report(tree) if tree
        tree && true
      end
    end
  end
end
