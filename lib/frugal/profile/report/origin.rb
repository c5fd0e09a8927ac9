# frozen_string_literal: true

module Frugal
  module Profile
    module Report
      # Whose file it is.
      module Origin
        PROGRAM = "the program"
        # A gem of Bundler's that comes from git has the start of a commit instead of a version.
        GEM = %r{/gems/(?<name>[^/]+)-(?<version>\d[^/]*|\h{12})/}
        LIBRARIES = { %r{/rubygems(?:\.rb\z|/)} => "RubyGems", %r{/bundler(?:\.rb\z|/)} => "Bundler",
                      %r{/(?:vendor_ruby|ruby/\d+\.\d+\.\d+)/} => "Ruby's libraries", /\A<internal:/ => "Ruby" }.freeze
        private_constant :GEM, :LIBRARIES

        # @param file [String, nil]
        # @return [String] such as "activesupport 7.2.4", "RubyGems" or {PROGRAM}
        def self.of(file)
          file = file.to_s.b
          if (gem = GEM.match(file))
            return "#{gem[:name]} #{gem[:version]}".force_encoding(Encoding::UTF_8).scrub
          end

          LIBRARIES.find { |pattern, _| pattern.match?(file) }&.last || PROGRAM
        end
      end
    end
  end
end
