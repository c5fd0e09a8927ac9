# frozen_string_literal: true

module Frugal
  class Cost
    # A file call or an exception. `name` is the function of the C library such as +:stat+, or +:raise+; `path` is
    # absolute, or the class of the exception; `error` is a name such as "ENOENT" or nil; `file` and `line` are the
    # innermost Ruby line, or nil.
    Event = Struct.new(:name, :path, :error, :file, :line) do
      # @param limit [Symbol] one of {Limits::NAMES}
      # @return [Boolean] whether it counts for that limit
      def counts_for?(limit)
        case limit
        when :syscalls then name != :raise
        when :exceptions then name == :raise
        else Profile::Kinds::OF.fetch(limit, []).include?(name)
        end
      end

      # @return [String] such as "stat /app/a ENOENT" or "raise KeyError"
      def what = [name, path, error].compact.join(" ").b.force_encoding(Encoding::UTF_8).scrub

      # @return [String] such as "lib/a.rb:12"
      def place = file ? "#{file.delete_prefix("#{Dir.pwd}/")}:#{line}" : "outside of Ruby"
    end
  end
end
