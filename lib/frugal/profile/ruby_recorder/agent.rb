# frozen_string_literal: true

# The beginning of the recorder in plain Ruby, which RUBYOPT loads into each Ruby process of a profiled command. It
# evaluates the other files of this folder in an anonymous module, so that no constant of the program refers to them,
# and restores RUBYOPT for the program. Frugal::Profile::RubyRecorder sets the variable:
#
#   FRUGAL_RUBY_RECORDING=LIMIT:DEPTH:AGENT:FOLDER   bytes of a log, frames of a stack, this file as RUBYOPT names
#                                                    it, where the logs are
#
# The program must not notice an error in here: after an error, nothing is recorded.
if (settings = ENV.delete("FRUGAL_RUBY_RECORDING"))
  begin
    folder = __dir__
    recorder = Module.new
    parts = %w[definitions header log recorder stacks exceptions wrappers call values questions changes contents
               closing directories listings processes children waits streams input start]
    parts.each do |part|
      file = "#{folder}/#{part}.rb"
      recorder.module_eval(File.binread(file), file, 1)
    end
    recorder::Start.call(settings)
  rescue StandardError, ScriptError
    nil
  end
end
