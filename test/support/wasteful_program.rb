# frozen_string_literal: true

# A program with several kinds of waste, for both recorders and for JRuby, and what is to be found in it.
module WastefulProgram
  SOURCE = <<~'RUBY'
    Dir.chdir(ARGV.first)
    20.times { |i| File.write("f#{i}", "content #{i}") }
    20.times { |i| File.mtime("f#{i}") if File.exist?("f#{i}") }
    40.times { |i| begin; File.read("missing#{i}"); rescue Errno::ENOENT; end }
    20.times do |i|
      text = File.read("f#{i}")
      File.write("f#{i}", text)
    end
    100.times { File.realpath("f1") } # on a loaded machine, some are far apart
    10.times { |i| File.write("t", "x"); File.rename("t", "u#{i}"); begin; File.unlink("t"); rescue SystemCallError; end }
    30.times { |i| File.exist?("f#{i}") && File.binread("f#{i}") }
    File.open("f0") { |f| begin; while f.sysread(1); end; rescue EOFError; end }
    Dir.mkdir("tree")
    300.times { |i| Dir.mkdir("tree/#{i}") }
    def list(folder)
      Dir.children(folder).each { |name| path = File.join(folder, name); list(path) if File.directory?(path) }
    end
    list("tree")
    puts Dir.children(".").size
  RUBY

  # Kind and line → how often. Whether the other kinds count each case depends on the time between two calls.
  COUNTED = %i[rescued_error identical_rewrite unlink_after_rename serial_walk].freeze
  FINDINGS = { [:redundant_call, 3] => 20, [:rescued_error, 4] => 40, [:identical_rewrite, 7] => 60,
               [:repeated_realpath, 9] => 99, [:unlink_after_rename, 10] => 10, [:check_then_use, 11] => 20,
               [:serial_walk, 16] => 300 }.freeze

  # @param findings [Array<Frugal::Profile::Finding>]
  # @param file [String] the program
  # @return [Hash{Array(Symbol, Integer) => Integer}] as FINDINGS
  def self.found(findings, file)
    findings.select { |finding| finding.file == file }
            .to_h { |one| [[one.kind.to_sym, one.line], one.count] }
  end

  # @param recording [Frugal::Profile::Recording]
  # @param file [String] the program
  # @return [Hash{Array(Integer, Symbol, String) => Integer}] how often its lines made each call, with the error
  def self.calls(recording, file)
    recording.calls.select { |call| call.site&.file == file }.map { |call| [call.site.line, call.name, call.error] }.tally
  end
end
