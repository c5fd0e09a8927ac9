# frozen_string_literal: true

# A suite of small examples, run by RSpec.
require "rspec/core"

side = ARGV.shift
size = ARGV.shift.to_i
if side == "prepare"
  File.write("many_spec.rb", <<~RUBY)
    RSpec.describe Array do
      Integer(ENV.fetch("EXAMPLES")).times do |number|
        it("has \#{number}") { expect([number]).to include(number) }
      end
    end
  RUBY
  return
end

ENV["EXAMPLES"] = size.to_s
status = RSpec::Core::Runner.run(["many_spec.rb"])
exit status
