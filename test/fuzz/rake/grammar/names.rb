# frozen_string_literal: true

module RakeFuzz
  module Grammar
    # Names of files, mostly ordinary ones and sometimes an unusual one.
    module Names
      ODD = ["with space", "ünï", "\xFFbad", "new\nline", "a:b", "./dot", "src/../up", "UP.C", "tab\t", "-dash", "%p",
        "a[b]",
             "quo'te", "{x}", "*.star", "c:", ":c", "^hat", "rake:x", "$1", "trail/", "..hid", "very.long.ext.c", "=eq",
             "(p)"].freeze

      module_function

      def source(draft, folder, number)
        draft.chance?(0.02) ? odd(draft, number) : "#{folder}s#{number}.#{draft.pick(%w[c c h])}"
      end

      def target(draft, folder, level, number)
        if draft.chance?(0.02)
          odd(draft,
                  number + level * 10)
        else
          "#{folder}f#{level}_#{number}#{draft.pick([".o", ".o", "", ".a"])}"
        end
      end

      def odd(draft, number) = draft.pick(ODD).then { |name| name.end_with?("/") ? name : "#{name}#{number}" }
    end
  end
end
