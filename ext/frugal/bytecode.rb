# frozen_string_literal: true

require "fileutils"
require_relative "../../lib/frugal/autorun"
abort "frugal: cannot make bytecode: autorun is off" unless defined?(Frugal::Start)
abort "frugal: cannot make bytecode: autorun does not load" unless Frugal::Start.wake

module Frugal
  # Compiles the files that `frugal run` loads to bytecode for the current Ruby, so
  # a process neither searches nor parses them. bin/setup and extconf.rb run it, and
  # lib/frugal/autorun.rb and {Loader} read the result.
  #
  #   FRUGAL= RUBYOPT= ruby ext/frugal/bytecode.rb    # writes lib/frugal/native/ruby-3.1-x86_64-linux/frugal.iseq
  #
  # The bytecode file; numbers have 64 bits, big endian:
  #
  #   key           a line: the Ruby, the time of autorun/start.rb, and the folder for which the file is valid
  #   2 numbers     the offset of the sections, which is less than 64 KiB; the length of the start
  #   start         the bytecode of autorun/start.rb
  #   7 numbers     for the following parts, see {#launch}
  #   entrance      the bytecode of dropin/dir/entrance.rb
  #   glob, at      the methods that replace Dir.glob and Dir[], in the lines of this Ruby's own
  #   rest          the bytecode of autorun/loader.rb
  #   index         [stamp, {path => [offset, length]}]: the sections, by the file that is loaded first
  #   section ...   the stamp, and {path => [size, seconds, nanoseconds, bytecode]} of that file and of all files
  #                 that it requires by require_relative
  class Bytecode
    FOLDER = Loader::FOLDER
    START = "#{FOLDER}autorun/start.rb".freeze
    ENTRANCE = "#{FOLDER}dropin/dir/entrance.rb".freeze
    REST = "#{FOLDER}autorun/loader.rb".freeze
    # Loaded at the first sign of work.
    WATCHER = "#{FOLDER}autorun/ruby.rb".freeze
    HOME = "#{FOLDER}dropin/home.rb".freeze
    BOOT = "#{FOLDER}autorun/boot.rb".freeze
    REGISTRY = "#{FOLDER}dropin.rb".freeze
    # It has its own section, which a process with the C engine does not read.
    PURE = "#{FOLDER}native/pure.rb".freeze
    SEQUENCE = RubyVM::InstructionSequence

    # @return [void]
    # @raise [SystemCallError] if the folder cannot be written
    def write
      FileUtils.mkdir_p(File.dirname(Loader::BYTECODE))
      temporary = "#{Loader::BYTECODE}.#{Process.pid}"
      File.binwrite(temporary, data)
      File.rename(temporary, Loader::BYTECODE)
    ensure
      FileUtils.rm_f(temporary) if temporary
    end

    private

    def data
      stamp = Random.bytes(16)
      bodies = sections.transform_values { |files| stamp + table(files) }
      offset = 0
      places = bodies.transform_values { |body| [offset, body.bytesize].tap { offset += body.bytesize } }
      start = bytecode(START)
      launch = launch(Marshal.dump([stamp, places]))
      size = key.bytesize + 16 + start.bytesize + launch.bytesize
      raise "the launch is longer than a read" if size > Loader::MAX_BYTES

      [key, [size, start.bytesize].pack("Q>2"), start, launch, *bodies.values].join
    end

    def key
      "frugal 3 #{RUBY_REVISION} #{RUBY_PLATFORM} #{File.mtime(START).to_i} #{FOLDER}\n"
    end

    def launch(index)
      entrance, rest = bytecode(ENTRANCE), bytecode(REST)
      glob, at = glob_methods
      times = [ENTRANCE, REST].map { |file| File.mtime(file).to_i }
      numbers = [entrance.bytesize, times[0], glob.bytesize, at.bytesize, rest.bytesize, times[1], index.bytesize]
      [numbers.pack("Q>7"), entrance, glob, at, rest, index].join
    end

    # @return [Array<String>] the bytecode of the methods that replace Dir.glob and Dir[]
    def glob_methods
      %i[glob []].map do |name|
        _, line = ::Dir.method(:"frugal_stock_#{name == :glob ? name : :at}").source_location
        Dropin::Dir::Entrance.compile(name, line).to_binary
      end
    end

    # The files of each section. Files that several drop-ins need are in each of their sections. The registry has its
    # own section, as all drop-ins need it.
    def sections
      @sections ||= begin
        watcher = needed_by(WATCHER, [ENTRANCE])
        watcher += needed_by(HOME, watcher) # the watcher loads it at the first file that is named like an upstream's
        registry = needed_by(REGISTRY, [ENTRANCE, *watcher])
        loaded = [ENTRANCE, *watcher, *registry]
        others = [PURE, *drop_ins(loaded)].to_h { |file| [file, needed_by(file, loaded)] }
        { WATCHER => watcher, BOOT => needed_by(BOOT, [ENTRANCE, *watcher]), REGISTRY => registry, **others }
      end
    end

    # A file that another file of the folder requires has no section of its own, which a process would read in addition.
    #
    # @return [Array<String>] the files that are loaded first
    def drop_ins(loaded)
      files = ::Dir.glob("#{FOLDER}dropin/*.rb") - loaded
      files - files.flat_map { |file| needed_by(file, []).drop(1) }
    end

    # @return [Array<String>] a file and all files that it requires, without those in `loaded`
    def needed_by(file, loaded)
      return [] if loaded.include?(file)

      source(file).scan(/^\s*require_relative "(.+)"/).flatten.inject([file]) do |needed, name|
        other = File.expand_path("#{name}.rb", File.dirname(file))
        other == PURE || other == Loader::PLAIN ? needed : needed + needed_by(other, loaded + needed)
      end
    end

    def table(files) = Marshal.dump(files.to_h { |file| [file, [*file_stat(file), bytecode(file)]] })

    def bytecode(file)
      @bytecode ||= {}
      @bytecode[file] ||= SEQUENCE.compile(Loader.rewrite(source(file)), file, file).to_binary
    end

    # Ignores the encoding of the locale, since a container often has no locale.
    def source(file) = File.read(file, encoding: "UTF-8")

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
