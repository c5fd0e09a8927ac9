# frozen_string_literal: true

module Frugal
  module CLI
    # The benchmarks in `bench/`, which is part of a checkout, but not of the gem.
    #
    #   Benchmarks.names            # => ["errors", "links", …]
    #   Benchmarks.summary("rake")  # => "Rake on 10,000 and 50,000 files, …"
    module Benchmarks
      FOLDER = File.expand_path("../../../bench", __dir__)

      class << self
        # @return [Array<String>] none in the gem
        def names = Dir.glob("*.rb", base: FOLDER).sort.map { |file| File.basename(file, ".rb") }

        # @param name [String]
        # @return [String] path of the script
        def script(name) = File.join(FOLDER, "#{name}.rb")

        # @param name [String]
        # @return [String] the first comment of the script
        def summary(name)
          lines = File.foreach(script(name)).lazy.map(&:strip)
          header = lines.take_while { |line| line.empty? || line.start_with?("#") }
          comments = header.reject { |line| line.empty? || line.match?(/\A#(!|.*frozen_string_literal|\s*\z)/) }
          comments.first.to_s.delete_prefix("#").strip
        end
      end
    end
  end
end
