# frozen_string_literal: true

require "json"

module Frugal
  module CLI
    module Walk
      # Results as JSON lines: one object per line. Has the same methods as {Text}.
      class JSONLines
        # @param output [Output]
        def initialize(output)
          @output = output
        end

        def path(path) = object(name(path))

        def stats(list)
          list.to_a.zip(list.column(:mtime), list.column(:size)) do |path, mtime, size|
            object({ **name(path), mtime: Time.at(0, mtime, :nsec).utc.strftime("%FT%T.%NZ"), size: size })
          end
        end

        def counts(counts)
          counts.each { |root, count| object({ **name(root), count: count }) }
        end

        def usage(directories, total:, paths:, **)
          directories.each { |path, bytes| object({ **name(path), bytes: bytes }) }
          object({ total: total, paths: paths })
        end

        private

        def object(members) = @output.write(JSON.generate(members) << "\n")

        # JSON is UTF-8, and a path can be any bytes. A path that is not valid UTF-8 is written twice, the second
        # time in Base64.
        def name(path)
          text = path.dup.force_encoding(Encoding::UTF_8)
          return { path: text } if text.valid_encoding?

          { path: text.scrub("\uFFFD"), base64: [path].pack("m0") }
        end
      end
    end
  end
end
