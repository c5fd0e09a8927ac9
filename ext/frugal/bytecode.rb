# frozen_string_literal: true

require "fileutils"
require_relative "../../lib/frugal/autorun"

module Frugal
  # Compiles the files that `frugal run` loads to bytecode, for the Ruby that runs
  # this: a process then neither looks for them nor parses them. bin/setup and
  # extconf.rb run it; {Parts} in lib/frugal/autorun.rb reads the result.
  #
  #   FRUGAL= RUBYOPT= ruby ext/frugal/bytecode.rb    # writes lib/frugal/native/ruby-3.1-x86_64-linux/frugal.iseq
  #
  # The bytecode file: {Parts::KEY}, the length of the table (64 bits, big endian),
  # the table, and the sections. A section has a file and all that it requires by
  # require_relative, and begins with the stamp of its table. The section that every
  # process needs is part of the table.
  class Bytecode
    FOLDER = Parts::FOLDER
    LAUNCH = "#{FOLDER}autorun/watcher.rb"
    REGISTRY = "#{FOLDER}dropin.rb"
    # A section of its own: a process that has the C engine does not read it.
    PURE = "#{FOLDER}native/pure.rb"
    SEQUENCE = RubyVM::InstructionSequence

    # @return [void]
    # @raise [SystemCallError] where the folder cannot be written
    def write
      FileUtils.mkdir_p(File.dirname(Parts::BYTECODE))
      temporary = "#{Parts::BYTECODE}.#{Process.pid}"
      File.binwrite(temporary, data)
      File.rename(temporary, Parts::BYTECODE)
    ensure
      FileUtils.rm_f(temporary) if temporary
    end

    private

    def data
      stamp = Random.bytes(16)
      place = 0
      contents = sections.transform_values do |files|
        places, length = places(files, stamp.bytesize)
        [place, length, places].tap { place += length }
      end
      first = launch.to_h { |file| [file, bytecode(file)] }
      bodies = sections.each_value.map { |files| stamp + files.map { |file| bytecode(file) }.join }
      facts = @bytecode.to_h { |file, _| [file, [*facts(file), sections.keys.find { |name| sections[name].include?(file) }]] }
      table = Marshal.dump([stamp, facts, contents, first])
      [Parts::KEY, [table.bytesize].pack("Q>"), table, *bodies].join
    end

    # The registry has a section, for it stays when a second drop-in comes; each drop-in has what is missing then.
    def sections
      @sections ||= begin
        registry = needed_by(REGISTRY, launch)
        drop_ins = Dir.glob("#{FOLDER}dropin/*.rb").sort - registry - launch
        [REGISTRY, PURE, *drop_ins].to_h { |file| [file, file == REGISTRY ? registry : needed_by(file, launch + registry)] }
      end
    end

    def launch = @launch ||= needed_by(LAUNCH, [])

    # @return [Array<String>] a file and what it requires, but for those that are there already
    def needed_by(file, known)
      return [] if known.include?(file)

      File.read(file).scan(/^\s*require_relative "(.+)"/).flatten.inject([file]) do |needed, name|
        other = File.expand_path("#{name}.rb", File.dirname(file))
        other == PURE || other == Parts::PUBLISHED ? needed : needed + needed_by(other, known + needed)
      end
    end

    # @return [Array(Hash, Integer)] where each file's bytecode lies in its section, and the section's length
    def places(files, place)
      [files.to_h { |file| [file, [place, bytecode(file).bytesize]].tap { place += bytecode(file).bytesize } }, place]
    end

    def bytecode(file)
      @bytecode ||= {}
      @bytecode[file] ||= SEQUENCE.compile(Parts.quiet(File.read(file)), file, file).to_binary
    end

    def facts(file)
      stat = File.stat(file)
      [stat.size, stat.mtime.to_i, stat.mtime.nsec]
    end
  end
end

begin
  Frugal::Bytecode.new.write
rescue SystemCallError => e
  abort "frugal: no bytecode: #{e.message}"
end
