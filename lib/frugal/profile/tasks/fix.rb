# frozen_string_literal: true

module Frugal
  module Profile
    module Tasks
      # The missing declarations, as lines for the Rakefile.
      module Fix
        class << self
          # @param kind [Symbol] as in {Undeclared}
          # @param task [Task]
          # @param path [String] absolute; not for `:product`
          # @param writer [Task, nil]
          # @return [String]
          def of(kind, task, path = nil, writer = nil)
            return "let the action create it, or make it a plain task: task #{literal(task.name)}" if kind == :product

            name = name(path, task)
            kind == :read ? read(task, name, path, writer) : write(task, name, writer)
          end

          # @param prerequisites [String] one or more, as Ruby
          # @return [String]
          def declaration(task, prerequisites)
            "#{task.file? ? "file" : "task"} #{literal(task.name)} => #{prerequisites}"
          end

          # @return [String] a literal of Ruby: the file as the task would name it
          def name(path, task) = literal(relative(path, task.directory))

          private

          def read(task, name, path, writer)
            return declaration(task, name) if writer.nil? || same?(writer, path)
            return declaration(task, literal(writer.name)) unless task.file?

            "#{declaration(task, name)}, and make #{name} the product of a file task, not of #{literal(writer.name)}"
          end

          def write(task, name, writer)
            return "let one of both write it, and the other one depend on that" if writer

            "file #{name} => #{literal(task.name)}"
          end

          def same?(task, path) = task.file? && File.expand_path(task.path) == File.expand_path(path.b)

          def relative(path, directory)
            path = path.b
            path.start_with?("#{directory}/".b) ? path.byteslice(directory.bytesize + 1..) : path
          end

          # Returns a literal of Ruby, in ASCII if the name is not UTF-8.
          def literal(name) = Log::Definitions.text(name).inspect
        end
      end
    end
  end
end
