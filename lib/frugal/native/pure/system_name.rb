# frozen_string_literal: true

module Frugal
  module Native
    module Pure
      # A path of bytes, as the system is asked for it. To MRI names are bytes;
      # Java knows them by their characters.
      module SystemName
        JRUBY = RUBY_ENGINE == "jruby"

        module_function

        # @param path [String, #to_path] what is no String of bytes stays as it is
        # @return [String, #to_path] the same bytes
        def system_name(path)
          return path unless JRUBY && path.is_a?(String) && path.encoding == Encoding::BINARY

          path.dup.force_encoding(Encoding.find("filesystem"))
        end
      end
    end
  end
end
