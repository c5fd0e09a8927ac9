# frozen_string_literal: true

require "fileutils"
require_relative "../../lib/frugal/autorun"

module Frugal
  # Compiles the files that `frugal run` loads to bytecode for the current Ruby, so that
  # a process neither searches nor parses them. bin/setup and extconf.rb run it, and
  # {Parts} in lib/frugal/autorun.rb reads the result.
  #
  #   FRUGAL= RUBYOPT= ruby ext/frugal/bytecode.rb    # writes lib/frugal/native/ruby-3.1-x86_64-linux/frugal.iseq
  #
  # The bytecode file:
  #
  #   Parts::KEY             the Ruby and the folder for which it is valid
  #   length of the table    64 bits, big endian
  #   table                  [stamp, files, sections, bytecode of the files that each process loads]
  #   section ...            the stamp of the table, then the bytecode of a file and of all that
  #                          it requires by require_relative
  class Bytecode
    FOLDER = Parts::FOLDER
    LAUNCH = "#{FOLDER}autorun/ruby.rb".freeze
    REGISTRY = "#{FOLDER}dropin.rb".freeze
    # It has its own section, which a process with the C engine does not read.
    PURE = "#{FOLDER}native/pure.rb".freeze
    SEQUENCE = RubyVM::InstructionSequence

    # @return [void]
    # @raise [SystemCallError] if the folder cannot be written
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
      contents = section_contents(stamp)
      launched = launch.to_h { |file| [file, bytecode(file)] }
      bodies = sections.each_value.map { |files| stamp + files.map { |file| bytecode(file) }.join }
      files = @bytecode.keys.to_h { |file| [file, [*file_stat(file), section_of(file)]] }
      table = Marshal.dump([stamp, files, contents, launched])
      [Parts::KEY, [table.bytesize].pack("Q>"), table, *bodies].join
    end

    # @return [Hash{String => Array}] the offset and length of each section, and the places of its files
    def section_contents(stamp)
      offset = 0
      sections.transform_values do |files|
        places, length = places(files, stamp.bytesize)
        [offset, length, places].tap { offset += length }
      end
    end

    # The files of each section. The registry has its own section, as all drop-ins need it; that
    # of a drop-in has only the other files that it needs.
    def sections
      @sections ||= begin
        registry = needed_by(REGISTRY, launch)
        drop_ins = Dir.glob("#{FOLDER}dropin/*.rb") - registry - launch
        others = [PURE, *drop_ins].to_h { |file| [file, needed_by(file, launch + registry)] }
        { REGISTRY => registry, **others }
      end
    end

    def section_of(file) = sections.keys.find { |name| sections[name].include?(file) }

    def launch = @launch ||= needed_by(LAUNCH, [])

    # @return [Array<String>] a file and all that it requires, without those in `loaded`
    def needed_by(file, loaded)
      return [] if loaded.include?(file)

      File.read(file).scan(/^\s*require_relative "(.+)"/).flatten.inject([file]) do |needed, name|
        other = File.expand_path("#{name}.rb", File.dirname(file))
        other == PURE || other == Parts::PUBLISHED ? needed : needed + needed_by(other, loaded + needed)
      end
    end

    # @return [Array(Hash, Integer)] the offset and length of each file's bytecode in its section, and the
    #   length of the section
    def places(files, offset)
      places = files.to_h do |file|
        length = bytecode(file).bytesize
        [file, [offset, length]].tap { offset += length }
      end
      [places, offset]
    end

    def bytecode(file)
      @bytecode ||= {}
      @bytecode[file] ||= SEQUENCE.compile(Parts.rewrite(File.read(file)), file, file).to_binary
    end

    def file_stat(file)
      stat = File.stat(file)
      [stat.size, stat.mtime.to_i, stat.mtime.nsec]
    end
  end
end

begin
  Frugal::Bytecode.new.write
rescue SystemCallError => e
  abort "frugal: cannot write the bytecode: #{e.message}"
end
