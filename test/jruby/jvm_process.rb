# frozen_string_literal: true

# The process of {JVM}: runs command lines of JRuby, each in a new runtime.
#
#   jruby jvm_process.rb      # standard input: a marshalled [arguments, environment, directory] for each command line;
#                             # standard output: a marshalled [status, output, errors] for each
require_relative "../support/jruby_runtime"

[$stdin, $stdout].each(&:binmode)
until $stdin.eof?
  $stdout.write(Marshal.dump(JRubyRuntime.run(*Marshal.load($stdin))))
  $stdout.flush
end
