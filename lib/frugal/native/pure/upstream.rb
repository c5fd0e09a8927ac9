# frozen_string_literal: true

module Frugal
  module Native
    module Pure
      # The methods that drop-ins use in addition to the probes.
      module Upstream
        INSTANCE_METHOD = ::Module.instance_method(:instance_method)
        private_constant :INSTANCE_METHOD

        # {Frugal::Probe#read} for binary content.
        def binread(path)
          File.binread(path)
        rescue Errno::ENOENT, Errno::ENOTDIR
          nil
        rescue Errno::EINTR
          retry
        end

        # The pure twin of ext/frugal/raise_site.c; allocates an object for each frame.
        def raise_site(exception)
          return unless exception.is_a?(Exception)

          locations = exception.backtrace_locations
          locations.first(8).map { |one| [one.path, one.lineno] }.hash unless locations.nil? || locations.empty?
        end

        # The pure twin of ext/frugal/methods.c: reports whether methods are Ruby's own, that is,
        # written in C or built into the interpreter.
        def core?(owner, *names)
          names.all? do |name|
            file, = owner.instance_method(name).source_location
            file.nil? || file.start_with?("<internal:")
          end
        rescue NameError
          false
        end

        # Reports whether a class still has these methods. Raises NameError for a removed method.
        def same?(klass, names, methods)
          names.zip(methods).all? { |name, method| INSTANCE_METHOD.bind_call(klass, name) == method }
        end

        # Ruby cannot find this out; false is always a valid answer.
        def direct?(_object, _class) = false

        # In this engine Ruby's own methods wait, and do not reveal exceptions that another thread has raised in them.
        def interruption?(_error) = false
      end
    end
  end
end
