# frozen_string_literal: true

# The agent of `frugal profile --by example` (see base.rb). It reports to the recorder the file of the running example
# (RSpec) or test (minitest). It changes no method that is on the stack while an example runs, so backtraces are the
# same as without the agent, and it registers neither hooks nor formatters.
module Frugal
  module Profile
    # Waits for RSpec and minitest without loading them.
    module ExampleAgent
      # Prepended to RSpec's reporter. Only one example runs at a time in a process, so its file counts for all threads.
      module Reporter
        # @param group [Class] of RSpec::Core::ExampleGroup
        def example_group_started(group)
          ExampleAgent.group_started(group)
          super
        end

        # @param group [Class] of RSpec::Core::ExampleGroup
        def example_group_finished(group)
          super
        ensure
          ExampleAgent.group_finished
        end

        # @param example [RSpec::Core::Example]
        def example_started(example)
          Agent.recorder.mark(ExampleAgent.file(example))
          super
        end
      end

      # Prepended to minitest's tests, each of which is a separate object. Tests can run in several threads.
      module Test
        def initialize(...)
          super
          ExampleAgent.test_started(self)
        end
      end

      # Prepended to the class of minitest's results: a result is made when a test ends.
      module Result
        # @param test [Minitest::Runnable]
        def from(test)
          super
        ensure
          ExampleAgent.test_finished(test)
        end
      end

      METHODS = %i[method_defined? private_method_defined? instance_method].to_h do |name|
        [name, Module.instance_method(name)]
      end
      private_constant :METHODS
      @files = [] # of RSpec's groups, the innermost last
      @tests = {}.compare_by_identity # thread => its tests of minitest and their files, the innermost last

      class << self
        # @return [Boolean] whether there is nothing to wait for
        def install
          rspec = prepend_to(Agent.loaded(:RSpec, :Core, :Reporter), Reporter)
          minitest = prepend_to(Agent.loaded(:Minitest, :Result)&.singleton_class, Result) &&
                     prepend_to(Agent.loaded(:Minitest, :Test), Test)
          rspec && minitest
        end

        # @param example [RSpec::Core::Example, Class] or a group of examples
        # @return [String] the file as an argument of `rspec`: for a shared example, the file that includes it
        def file(example)
          metadata = example.metadata
          (metadata[:rerun_file_path] || metadata[:file_path]).to_s.delete("\0")
        end

        # @param group [Class] of RSpec::Core::ExampleGroup
        # @return [void]
        def group_started(group)
          @files << file(group)
          Agent.recorder.process_group(@files.last)
        end

        # @return [void]
        def group_finished
          @files.pop
          Agent.recorder.process_group(@files.last || "")
        end

        # @param test [Minitest::Test]
        # @return [void]
        def test_started(test)
          file = file_of_test(test) or return

          (@tests[Thread.current] ||= []) << [test, file]
          Agent.recorder.group(file)
        end

        # Also removes tests that were created later and never run.
        #
        # @param test [Minitest::Test]
        # @return [void]
        def test_finished(test)
          tests = @tests[Thread.current]
          index = tests&.rindex { |one,| one.equal?(test) } or return

          Agent.recorder.mark(tests[index].last)
          tests.slice!(index..)
          Agent.recorder.group(tests.empty? ? "" : tests.last.last)
          @tests.delete(Thread.current) if tests.empty?
        end

        private

        # @return [String, nil] the file that defines the test
        def file_of_test(test)
          name = test.name
          type = test.class
          return unless name && (ask(type, :method_defined?, name) || ask(type, :private_method_defined?, name))

          ask(type, :instance_method, name).source_location&.first&.delete("\0")
        end

        # Calls the original method, since programs may override it.
        def ask(type, question, name) = METHODS.fetch(question).bind_call(type, name)

        def prepend_to(owner, methods)
          return false unless owner

          owner.prepend(methods) unless owner < methods
          true
        end
      end
    end
  end
end

Frugal::Profile::Agent.wait { Frugal::Profile::ExampleAgent.install }
