# frozen_string_literal: true

# The beginning of the recorder in plain Ruby, which RUBYOPT loads into each Ruby process of a profiled command. It
# evaluates the other files of this folder in a module without a name, so that no constant of the program leads to
# them, and puts RUBYOPT back as the program expects it. Frugal::Profile::RubyRecorder sets the variable:
#
#   FRUGAL_RUBY_RECORDING=LIMIT:DEPTH:AGENT:FOLDER   bytes of a log, frames of a stack, this file as RUBYOPT names
#                                                    it, where the logs are
#
# Nothing that fails here may be seen by the program: then nothing is recorded.
if (settings = ENV.delete("FRUGAL_RUBY_RECORDING"))
  begin
    folder = __dir__
    recorder = Module.new
    parts = %w[definitions header log recorder stacks exceptions wrappers call values questions changes contents
               closing directories listings processes children start]
    parts.each do |part|
      file = "#{folder}/#{part}.rb"
      recorder.module_eval(File.binread(file), file, 1)
    end
    recorder::Start.call(settings)
  rescue StandardError, ScriptError
    nil
  end
end
