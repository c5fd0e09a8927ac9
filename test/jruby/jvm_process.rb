# frozen_string_literal: true

# The process of {JVM}: runs command lines of JRuby, each in a new runtime of this one JVM, which starts in a tenth of the
# time of a process and has its own constants, features and engine.
#
#   jruby jvm_process.rb      # standard input: a marshalled [arguments, environment, directory] for each command line;
#                             # standard output: a marshalled [status, output, errors] for each
require "java"

[$stdin, $stdout].each(&:binmode)
until $stdin.eof?
  arguments, environment, directory = Marshal.load($stdin)
  streams = Array.new(2) { java.io.ByteArrayOutputStream.new }
  out, err = streams.map { |stream| java.io.PrintStream.new(stream, true) }
  config = org.jruby.RubyInstanceConfig.new
  config.output = out
  config.error = err
  java.lang.System.err = err # where JRuby reports what nobody has rescued
  config.environment = environment
  config.current_directory = directory
  status = org.jruby.Main.new(config).run(arguments.to_java(:string)).status
  $stdout.write(Marshal.dump([status, *streams.map { |stream| String.from_java_bytes(stream.to_byte_array) }]))
  $stdout.flush
end
