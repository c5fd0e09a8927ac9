# frozen_string_literal: true

require_relative "finder"

module Frugal
  module Profile
    module Findings
      # Files that are replaced by the same bytes, in place or by a rename. The content of a file is known after a
      # recorded read or write of the whole file. Bytes that were read and written in different pieces are not compared.
      class IdenticalRewrite < Finder
        NAMES = %i[rename].freeze
        ASSUMPTION = "the program does not write only to change the file's time"
        FIX = "Compare with what the file holds before it is written, and leave it as it is if nothing differs."
        private_constant :ASSUMPTION, :FIX

        # The writes of one place.
        Rewrites = Struct.new(:place, :calls, :identical, :total, :bytes)
        private_constant :Rewrites

        # @param context [Context]
        def initialize(context)
          super
          @rewrites = Hash.new { |all, place| all[place] = Rewrites.new(place, [], 0, 0, 0) }.compare_by_identity
          @written = {}.compare_by_identity
        end

        # Called by the {Timeline}.
        def closed(open_file)
          return read(open_file) if open_file.reading?

          content = open_file.content_written or return
          node = open_file.node
          @rewrites[open_file.facts.place].total += 1
          known = open_file.content_before || open_file.content_found
          add(open_file, open_file.calls) if known == content && !timeline.changes.hidden?
          node.hold(content, open_file.finish)
          @written[node] = open_file
        end

        # Called by the {Timeline}, before the rename is applied.
        def call(call, node, actor, _facts)
          open_file = node && @written.delete(node)
          return unless open_file && call.to && !call.error && node.content && !timeline.changes.hidden?

          add(open_file, [*open_file.calls, call]) if timeline.paths.at(call.to).content_for(actor) == node.content
        end

        # @param claims [Claims]
        # @return [Array<Finding>]
        def findings(claims)
          @rewrites.each_value.reject { |group| group.calls.empty? }.map do |group|
            finding(:identical_rewrite, group.place, group.calls, claims,
                    fix: FIX, fail_rate: nil, assumption: ASSUMPTION,
                    message: message(group))
          end
        end

        private

        def read(open_file)
          content = open_file.whole? && open_file.alone? && open_file.content_read
          open_file.node.hold(content, open_file.open.time) if content
        end

        def add(open_file, calls)
          group = @rewrites[open_file.facts.place]
          group.calls.concat(calls)
          group.identical += 1
          group.bytes += open_file.bytes_written
        end

        def message(group)
          "#{Prose.number(group.identical)} of #{Prose.some(group.total, "write")} put the bytes into the file that " \
            "it had (#{Prose.some(group.bytes, "byte")}, #{Prose.some(group.calls.size, "call")}): nothing else had " \
            "changed it"
        end
      end
    end
  end
end
