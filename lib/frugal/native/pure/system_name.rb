# frozen_string_literal: true

module Frugal
  module Native
    module Pure
      # Converts a binary path for a system call. In MRI, names are bytes, but in Java,
      # characters.
      module SystemName
        module_function

        # @param path [String, #to_path] returned unchanged unless it is a binary String
        # @return [String, #to_path] the same bytes
        def system_name(path)
          return path unless Platform::JRUBY && path.is_a?(String) && path.encoding == Encoding::BINARY

          path.dup.force_encoding(Encoding.find("filesystem"))
        end
      end
    end
  end
end
