# frozen_string_literal: true

require_relative "task"
require_relative "../log"

module Frugal
  module Profile
    module Tasks
      # The tasks of one process, from the texts that agents/task.rb wrote.
      class Declarations
        TEXT = /\A([a-z]) (\d+) (.*)\z/mn
        private_constant :TEXT

        # @return [Hash{Integer => Task}]
        attr_reader :tasks
        # @return [Array<String>] absolute: the directories to which file names are relative, and the Rakefile's
        #   directory
        attr_reader :directories

        # @param process [ProcessRecord]
        # @param texts [Array<Array(String, String)>] pairs of a directory and a text
        def initialize(process, texts)
          @process = process
          @tasks = {}
          @directories = []
          @nested = []
          texts = texts.filter_map { |directory, text| [directory, *text.match(TEXT)&.captures] }
          texts.partition { |_, letter,| letter == "t" }.each { |some| some.each { |text| read(*text) } }
        end

        # @param outermost [Task, nil] the task whose action started the process
        # @return [void]
        def nest(outermost)
          @nested.each do |number, outer|
            outer = @tasks[outer] || outermost
            @tasks[number]&.outer&.push(outer) if outer
          end
        end

        private

        def read(directory, letter, number, words)
          number = number.to_i
          return add(directory, number, words) if letter == "t"
          return @directories << File.dirname(File.expand_path(words, directory)) if letter == "r" && !words.empty?

          task = @tasks[number] or return
          case letter
          when "d" then task.prerequisites.concat(words.split.filter_map { |one| @tasks[one.to_i] })
          when "p" then task.others << words
          when "l" then task.place = place(directory, words)
          when "b" then begin_task(task, number, words)
          when "e" then task.ended = true
          end
        end

        def add(directory, number, words)
          kind, actions, name = words.split(" ", 3)
          @directories << directory unless @directories.include?(directory)
          @tasks[number] = Task.new(process: @process, name: Log::Definitions.text(name.to_s), directory: directory,
                                    kind: kind, actions: actions.to_i)
        end

        # Ruby loads the Rakefile and libraries by an absolute path, or by a path relative to the current directory at
        # that time.
        def place(directory, words)
          line, file = words.split(" ", 2)
          Frame.new(Log::Definitions.text(File.expand_path(file, directory)), line.to_i, nil)
        end

        def begin_task(task, number, words)
          task.executed = true
          @nested << [number, words.to_i]
        end
      end
    end
  end
end
