# frozen_string_literal: true

module Frugal
  module Profile
    # The agents: Ruby files that each recorded Ruby loads as its program begins, from the folder of the logs. They are
    # in the folder `agents`.
    module Agents
      FILE = "agent.rb" # ext/frugal_recorder/ruby_agent.c has the same name
      PARTS = %w[base request].freeze # of each agent
      MAGIC = "# frozen_string_literal: true\n"
      private_constant :PARTS, :MAGIC

      # @param folder [String]
      # @param name [Symbol, nil] +:route+, +:example+ or +:task+; nil for one that only reports requests
      # @return [void]
      def self.write(folder, name = nil)
        parts = [*PARTS, *name].map { |part| File.binread("#{__dir__}/agents/#{part}.rb") }
        # In the middle of a file, the magic comment causes a warning if the program runs with -w.
        File.binwrite(File.join(folder, FILE), MAGIC + parts.map { |part| part.delete_prefix(MAGIC) }.join)
      end
    end
  end
end
