# frozen_string_literal: true

module Frugal
  module Native
    module Pure
      # What drop-ins ask beside the probes.
      module Upstream
        # {Frugal::Probe#read} without encodings.
        def binread(path)
          File.binread(path)
        rescue Errno::ENOENT, Errno::ENOTDIR
          nil
        rescue Errno::EINTR
          retry
        end

        # The twin of ext/frugal/raise_site.c, with an object for each frame.
        def raise_site(exception)
          return unless exception.is_a?(Exception)

          locations = exception.backtrace_locations
          locations.first(8).map { |one| [one.path, one.lineno] }.hash unless locations.nil? || locations.empty?
        end

        # The twin of ext/frugal/methods.c. A method that is Ruby's own is written
        # in C, or inside the interpreter.
        def core?(owner, *names)
          names.all? do |name|
            file, = owner.instance_method(name).source_location
            file.nil? || file.start_with?("<internal:")
          end
        rescue NameError
          false
        end
      end
    end
  end
end
