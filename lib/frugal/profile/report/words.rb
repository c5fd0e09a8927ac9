# frozen_string_literal: true

require_relative "../../readable"
require_relative "../origins"

module Frugal
  module Profile
    module Report
      # Formats words, numbers and places in the same way for all reports.
      module Words
        # For each kind of finding, its name and a description of the waste.
        KINDS = {
          redundant_call: ["redundant call", "A call asks again what an earlier call has answered, although nothing " \
                                             "changed in between."],
          check_then_use: ["check before use", "A file is checked before it is used. One call would do, and the file " \
                                               "can change between the two."],
          rescued_error: ["rescued error", "An exception for a missing file is raised, and rescued at once."],
          identical_rewrite: ["identical rewrite", "A file is written with the bytes that it already has."],
          repeated_realpath: ["repeated realpath", "Paths with the same folders are resolved again, folder by folder."],
          serial_walk: ["serial walk", "A tree is visited by one thread, one call after the other."],
          needless_digest: ["needless digest", "A digest is computed, and its result decides nothing."],
          dropped_backtrace: ["unused backtrace", "An exception collects a backtrace that nobody reads."],
          unlink_after_rename: ["unlink after rename", "A file is removed that a rename has moved away before."],
          load_path_misses: ["misses on the load path", "require looks for a file in folder after folder."],
          tiny_reads: ["tiny reads", "A file is read a few bytes at a time, with one call each."],
          repeated_listing: ["repeated listing", "A folder is listed again, although the names still hold."],
          freshness_check: ["freshness check", "After a wait, a question checks whether something has changed. " \
                                               "This is not waste."]
        }.freeze
        # Characters that could mislead a terminal or a reader: control characters, changes of direction.
        UNSAFE = /[[:cntrl:]\u2028-\u202E\u2066-\u2069]/
        private_constant :UNSAFE

        module_function

        # @param kind [Symbol]
        # @return [String] such as "redundant call"; a newer frugal's report may have other kinds
        def kind(kind) = KINDS.fetch(kind) { [kind.to_s.tr("_", " ")] }.first

        # @param microseconds [Numeric]
        # @return [String] such as "1.24 s", "96 ms", "9.6 ms" or "40 µs"
        def time(microseconds)
          return "#{microseconds.round} µs" if microseconds.round < 1000
          return "#{format("%.1f", microseconds / 1000.0)} ms" if microseconds < 9_950
          return "#{(microseconds / 1000.0).round} ms" if microseconds < 999_500

          Readable.seconds(microseconds / 1_000_000.0)
        end

        # @return [String] such as "52 %", "0.4 %" or "under 0.1 %"
        def share(part, whole)
          percent = part * 100.0 / whole
          return "#{percent.round} %" if percent >= 1 || percent.zero?

          percent < 0.1 ? "under 0.1 %" : "#{format("%.1f", percent)} %"
        end

        # @param number [Integer]
        # @param noun [String]
        # @return [String] such as "1 file call" or "9,340 file calls"
        def count(number, noun) = "#{Readable.count(number)} #{noun}#{"s" unless number == 1}"

        # @param text [String] of any bytes
        # @return [String] as UTF-8; control characters and bytes that are not UTF-8 are written as `\e` or `\xE9`
        def visible(text)
          text = text.dup.force_encoding(Encoding::UTF_8)
          unless text.valid_encoding?
            text = text.scrub { |bytes| bytes.each_byte.map { |byte| format("\\x%02X", byte) }.join }
          end
          text.match?(UNSAFE) ? text.gsub(UNSAFE) { |character| escape(character) } : text
        end

        def escape(character)
          character.ascii_only? ? character.inspect[1..-2] : format("\\u%04X", character.ord)
        end
        private_class_method :escape

        # @param file [String, nil] absolute
        # @param origins [Origins]
        # @return [String] such as "models/post.rb:3" or "activesupport 7.2.4: active_support/cache.rb:12"
        def place(file, line, origins) = file ? "#{visible(origins.of(file).to_s)}:#{line}" : "outside of Ruby"

        # @param finding [Finding]
        # @param origins [Origins]
        # @return [String] the line whose author can act and, after an arrow, the one that makes the calls
        def path(finding, origins)
          return "require, at #{count(finding.lines, "line")}" if finding.lines

          finding.path.values_at(0, -1).uniq.map { |frame| place(frame.file, frame.line, origins) }.join(" → ")
        end

        # @param findings [Array<Finding>] that are ignored
        # @param origins [Origins]
        # @return [String] such as "lib/a.rb:3 (comment), lib/b.rb:7 (--ignore)"
        def ignored(findings, origins)
          findings.map { |finding| "#{path(finding, origins)} (#{finding.ignored})" }.uniq.join(", ")
        end
      end
    end
  end
end
