# frozen_string_literal: true

module Frugal
  module Profile
    module Findings
      # One path of the file system, and when it changed. All spellings of a path, with `//`, `.` or `..`, have one
      # node.
      class Node
        NEVER = -1
        PSEUDO = %r{\A/(?:proc|sys|dev)/}
        private_constant :PSEUDO

        # @return [String] normalised
        attr_reader :path
        # @return [Integer] nanoseconds: the end of the last call that changed the file, or the entries of the directory
        attr_reader :changed_at
        # @return [Integer] nanoseconds: the last time that the path and the paths below it may have come to name other
        #   files
        attr_reader :moved_at
        # @return [Integer] how many changes there were
        attr_reader :changes
        # @return [Boolean] whether a call has proved that it exists, and nothing has removed it
        attr_accessor :present

        # @param paths [Paths]
        # @param path [String] normalised
        def initialize(paths, path)
          @paths = paths
          @path = path
          @changed_at = @moved_at = NEVER
          @changes = 0
          @content = nil
        end

        # @return [Node, nil] the directory; nil for the root
        def parent
          return @parent if defined?(@parent)

          slash = path.rindex("/")
          @parent = @paths.at(slash.zero? ? "/" : path[0, slash]) if slash && path.size > 1
        end

        # @return [Boolean] whether the kernel generates the file, so that it changes without any call
        def pseudo?
          return @pseudo if defined?(@pseudo)

          @pseudo = path.b.match?(PSEUDO)
        end

        # @param time [Integer] the end of a call that changed the file or directory
        def change(time)
          @changed_at = time if time > @changed_at
          @changes += 1
          @content = nil
        end

        # @param content [Integer, nil] the signature of the whole content, see {OpenFile}
        # @param time [Integer] when a call proved this content
        def hold(content, time)
          @content = content
          @held_at = time
        end

        # @return [Integer, nil] the signature of the content, if it is known
        def content = @content && (changed_since?(@held_at) ? nil : @content)

        # @param actor [Actor]
        # @return [Integer, nil] the signature of the content, if it is known and the actor has not waited since
        def content_for(actor) = content && (@held_at < actor.waited_at ? nil : @content)

        # @param time [Integer] the end of a call after which the path names another file, or none
        def move(time)
          change(time)
          @moved_at = time if time > @moved_at
          @present = false
          @paths.move(time)
        end

        # @param time [Integer] nanoseconds
        # @return [Boolean] whether a call that ended later may have changed the answer to a question about the path
        def changed_since?(time)
          @changed_at > time || moved_since?(time)
        end

        # @param time [Integer] nanoseconds
        # @return [Boolean] whether a call that ended later may have made the path name another file, or none
        def moved_since?(time)
          return false unless @paths.moved_at > time

          node = self
          node = node.parent until node.nil? || node.moved_at > time
          !node.nil?
        end
      end

      # All nodes of a recording.
      class Paths
        # @return [Integer] nanoseconds: the last time that any node was moved
        attr_reader :moved_at

        def initialize
          @nodes = {}
          @moved_at = Node::NEVER
        end

        # @param path [String] absolute
        # @return [Node]
        def at(path) = @nodes[path] || add(path)

        # @param time [Integer] nanoseconds
        def move(time)
          @moved_at = time if time > @moved_at
        end

        private

        def add(path)
          odd = path.include?("/.") || path.include?("//") || (path.end_with?("/") && path.size > 1)
          plain = odd ? File.expand_path(path) : path
          @nodes[path] = @nodes[plain] ||= Node.new(self, plain)
        end
      end
    end
  end
end
