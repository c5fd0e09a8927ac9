# frozen_string_literal: true

require "frugal/profile/run"

# Runs a program with and without the recorder.
module RecordedPrograms
  C_PROGRAMS = File.expand_path("../profile/programs", __dir__)

  def setup
    skip "the recorder needs MRI on a 64-bit Linux" unless Frugal::Profile::Run.supported?
  end

  # @param options [Hash] as of `Process.spawn`
  # @return [Array(Frugal::Profile::Recording, String)] and what the program printed
  def record(*command, **options)
    out = path("output")
    recording = Frugal::Profile::Run.new(command, chdir: tree, in: File::NULL, out: out, err: out, **options).call
    [recording, File.binread(out)]
  end

  # Checks that the program prints and returns the same, alone in an empty folder, and recorded.
  #
  # @param env [Hash{String => String, nil}]
  # @param recorder [Symbol, nil] as of {Frugal::Profile::Run}
  # @return [Frugal::Profile::Recording]
  def record_same(*command, env: {}, recorder: nil, **options)
    alone = run_command(*command, env: env, chdir: mkdir("alone"), err: %i[child out], **options)
    recording, output = record(*command, env: env, recorder: recorder, **options)
    assert_equal alone.out, output
    assert_equal [alone.status.exitstatus, alone.status.termsig], [recording.status.exitstatus, recording.status.termsig]
    recording
  end

  # @return [Array<String>] the names of the files that a call was given
  def names(recording, call) = recording.calls.select { |one| one.name == call && one.path }.map { |one| File.basename(one.path) }

  # @param name [String] of a C program in test/profile/programs
  # @return [String] the path of the compiled program
  def compile_program(name, *options)
    compiler = RbConfig::CONFIG["CC"].split.first
    program = path(name)
    built = run_command(compiler, "-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", *options, File.join(C_PROGRAMS, "#{name}.c"),
                        "-o", program, "-lpthread")
    assert built.success?, built
    program
  end
end
