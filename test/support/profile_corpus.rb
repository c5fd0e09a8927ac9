# frozen_string_literal: true

require_relative "recording_builder"

# Programs as recordings: those that waste something, with the kind and the line of each finding, and those that only look so.
module ProfileCorpus
  Case = Struct.new(:name, :expected, :program)

  class << self
    attr_reader :wastes, :look_alikes

    # @param expected [Hash{Symbol => String}] kind → "file:line" below /app, or an absolute place
    def waste(name, expected, &program)
      (@wastes ||= []) << Case.new(name, expected.flat_map { |kind, places| Array(places).map { |place| [kind, place] } }, program)
    end

    def look_alike(name, &program)
      (@look_alikes ||= []) << Case.new(name, [], program)
    end
  end

  RAKE = "/gems/rake-13.0.6/lib/rake/file_task.rb"

  # -- redundant_call

  waste "the same file is asked in a loop", redundant_call: "a.rb:3" do
    file "a"
    line 3, "mtime"
    20.times { stat "a" }
  end

  waste "Rake asks whether a file exists, and for its time", redundant_call: "#{RAKE}:17" do
    30.times { |i| file "f#{i}" }
    30.times do |i|
      line(16, "exist?", file: RAKE)
      stat "f#{i}"
      line(17, "mtime", file: RAKE)
      2.times { stat "f#{i}" }
    end
  end

  waste "two lines ask the same", redundant_call: "a.rb:8" do
    20.times { |i| file "f#{i}" }
    line 3, "size"
    20.times { |i| stat "f#{i}" }
    line 8, "mtime"
    20.times { |i| stat "f#{i}" }
  end

  waste "a missing file is asked again", redundant_call: "a.rb:5" do
    line 5, "exist?"
    20.times { stat "missing" }
  end

  waste "access with the same mode", redundant_call: "a.rb:5" do
    file "a"
    line 5, "readable?"
    20.times { eaccess "a", 4 }
  end

  waste "an lstat tells what the stat after it asks", redundant_call: "a.rb:6" do
    20.times do |i|
      file "f#{i}"
      line 5, "lstat"
      lstat "f#{i}"
      line 6, "stat"
      stat "f#{i}"
    end
  end

  waste "another spelling of the path", redundant_call: "a.rb:6" do
    20.times do |i|
      file "f#{i}"
      line 5, "size"
      stat "f#{i}"
      line 6, "size"
      stat "./f#{i}"
    end
  end

  waste "other files change meanwhile", redundant_call: "a.rb:5" do
    file "a"
    20.times do |i|
      line 5, "mtime"
      stat "a"
      line 6
      write_file "dir/out#{i}", i.to_s
    end
  end

  waste "another thread works in between", redundant_call: "a.rb:5" do
    file "a"
    20.times do |i|
      line 5, "mtime"
      stat "a"
      thread(2) { line(9, "size") && stat("other#{i}") }
    end
  end

  waste "another process that is recorded runs in between", redundant_call: "a.rb:5" do
    file "a"
    20.times do |i|
      line 5, "mtime"
      stat "a"
      line 6
      call :fork, bytes: 200 + i
      process(200 + i) { line(7) && write_file("other", i.to_s) }
    end
  end

  waste "the same link is read", redundant_call: "a.rb:5" do
    link "l", "a"
    file "a"
    line 5, "readlink"
    20.times { readlink "l" }
  end

  waste "a configuration is read for each item", redundant_call: "a.rb:5" do
    file "config", "key: 1"
    line 5, "read"
    12.times { read_file "config" }
  end

  # -- check_then_use

  waste "exist? and read", check_then_use: "a.rb:4" do
    20.times { |i| file "f#{i}", i.to_s }
    20.times do |i|
      line 4, "exist?"
      stat "f#{i}"
      line 4, "read"
      read_file "f#{i}"
    end
  end

  waste "exist? and read, where most are missing", check_then_use: "a.rb:4" do
    60.times do |i|
      file "f#{i}", i.to_s if i % 3 == 0
      line 4, "exist?"
      stat "f#{i}"
      line 5, "read"
      read_file "f#{i}" if i % 3 == 0
    end
  end

  waste "readable? in the line above the open", check_then_use: "a.rb:4" do
    20.times do |i|
      file "f#{i}", i.to_s
      line 4, "readable?"
      eaccess "f#{i}", 4
      line 5, "initialize"
      close open("f#{i}")
    end
  end

  waste "file? and open, in a block of the method", check_then_use: "a.rb:4" do
    20.times do |i|
      file "f#{i}", i.to_s
      line 4, "file?", label: "serve"
      stat "f#{i}"
      line 9, "binread", label: "block in serve"
      read_file "f#{i}"
    end
  end

  waste "directory? and children", check_then_use: "a.rb:4" do
    20.times do |i|
      directory "d#{i}"
      line 4, "directory?"
      stat "d#{i}"
      line 4, "children"
      list "d#{i}"
    end
  end

  waste "symlink? and readlink", check_then_use: "a.rb:4" do
    20.times do |i|
      file "f#{i}"
      link "l#{i}", "f#{i}"
      line 4, "symlink?"
      lstat "l#{i}"
      line 4, "readlink"
      readlink "l#{i}"
    end
  end

  waste "exist? and delete", check_then_use: "a.rb:4" do
    20.times do |i|
      file "f#{i}", i.to_s
      line 4, "exist?"
      stat "f#{i}"
      line 4, "delete"
      unlink "f#{i}"
    end
  end

  waste "a directory is made unless it is there", check_then_use: "a.rb:4" do
    20.times do |i|
      line 4, "exist?"
      stat "d#{i}"
      line 4, "mkdir"
      mkdir "d#{i}"
    end
  end

  # -- rescued_error

  waste "open and rescue, where all are missing", rescued_error: "a.rb:4" do
    20.times do |i|
      line 4, "open"
      open "f#{i}"
      raised
    end
  end

  waste "mtime and rescue, deep in the stack", rescued_error: "a.rb:4" do
    40.times do |i|
      file "f#{i}" if i.even?
      line 4, "mtime"
      raised(depth: 150) if stat("f#{i}").error
    end
  end

  waste "FileUtils.rm_f of what is not there", rescued_error: "/usr/lib/ruby/3.1.0/fileutils.rb:1132" do
    20.times do |i|
      line 1132, "unlink", file: "/usr/lib/ruby/3.1.0/fileutils.rb"
      unlink "f#{i}"
      raised
    end
  end

  waste "mkdir and rescue, where they exist", rescued_error: "a.rb:4" do
    20.times { |i| directory "d#{i}" }
    20.times do |i|
      line 4, "mkdir"
      mkdir "d#{i}"
      raised
    end
  end

  # -- identical_rewrite

  waste "the same report is written each time", identical_rewrite: "a.rb:4" do
    line 4, "write"
    4.times { write_file "report", "all is well" }
  end

  waste "what was read is written back", identical_rewrite: "a.rb:5" do
    4.times do |i|
      file "f#{i}", "text #{i}"
      line 4, "read"
      read_file "f#{i}"
      line 5, "write"
      write_file "f#{i}", "text #{i}"
    end
  end

  waste "an atomic write of the same bytes", identical_rewrite: "a.rb:5" do
    4.times do |i|
      line 5, "write"
      write_file "tmp#{i}", "same"
      line 6, "rename"
      rename "tmp#{i}", "cache"
    end
  end

  waste "in place, after a rewind", identical_rewrite: "a.rb:5" do
    4.times do |i|
      file "f#{i}", "text"
      line 5
      descriptor = open("f#{i}", "r+")
      read descriptor, "text"
      at_end descriptor
      seek descriptor
      write descriptor, "text"
      close descriptor
    end
  end

  # -- repeated_realpath

  waste "the same realpath for each item", repeated_realpath: "a.rb:4" do
    file "a"
    line 4, "realpath"
    20.times { realpath "a" }
  end

  waste "component by component", repeated_realpath: "a.rb:4" do
    %w[x x/y x/y/z].each { |name| directory name }
    line 4, "readlink"
    20.times { |i| ["x", "x/y", "x/y/z", "x/y/z/#{i}"].each { |name| readlink name } }
  end

  waste "component by component with Ruby 4.0, where File.lstat calls statx", repeated_realpath: "a.rb:4" do
    %w[x x/y x/y/z].each { |name| directory name }
    20.times { |i| file "x/y/z/#{i}" }
    line 4, "lstat"
    20.times { |i| ["x", "x/y", "x/y/z", "x/y/z/#{i}"].each { |name| statx name } }
  end

  waste "require resolves the folders above each file", repeated_realpath: "boot.rb:9" do
    line nil, "require", file: nil, outer: [["/app/boot.rb", 9, "<main>"]]
    1200.times do |i|
      file "lib/#{i}.rb"
      realpath "lib/#{i}.rb"
    end
  end

  # -- serial_walk

  waste "Find.find", serial_walk: "/usr/lib/ruby/3.1.0/find.rb:53" do
    directory "tree"
    300.times do |i|
      directory "tree/#{i}"
      line 53, "children", file: "/usr/lib/ruby/3.1.0/find.rb", label: "block in find"
      list "tree" if i.zero?
      line 48, "lstat", file: "/usr/lib/ruby/3.1.0/find.rb", label: "block in find"
      lstat "tree/#{i}"
      line 53, "children", file: "/usr/lib/ruby/3.1.0/find.rb", label: "block in find"
      list "tree/#{i}"
    end
  end

  waste "Dir.glob of all", serial_walk: "a.rb:4" do
    line 4, "glob"
    (["tree"] + Array.new(300) { |i| "tree/#{i}" }).each do |name|
      directory name
      list name, 1
    end
  end

  # -- the rest

  waste "a load path of many folders", load_path_misses: "boot.rb:9" do
    line nil, "require", file: nil, outer: [["/app/boot.rb", 9, "<main>"]]
    60.times { |i| 30.times { |folder| open "gems/#{folder}/lib/#{i}.rb" } }
  end

  waste "a load path of many folders, stats, below RubyGems", load_path_misses: "boot.rb:9" do
    line nil, "require", file: nil, outer: [["<internal:/usr/lib/ruby/vendor_ruby/rubygems/core_ext/kernel_require.rb>", 85, "require"],
                                            ["/app/boot.rb", 9, "<main>"]]
    60.times { |i| 30.times { |folder| stat "gems/#{folder}/lib/#{i}.rb" } }
  end

  waste "a zone is read in pieces of eight bytes", tiny_reads: "tz.rb:7" do
    line 7, "read", file: "/app/tz.rb"
    file "zone", "x" * 800
    descriptor = open("zone")
    100.times { |i| read descriptor, "piece#{i}" }
    close descriptor
  end

  waste "sysread of bytes from some files", tiny_reads: "a.rb:7" do
    4.times do |number|
      file "f#{number}", "x" * 40
      line 6, "open"
      descriptor = open("f#{number}")
      fstat descriptor
      line 7, "sysread"
      40.times { |i| read descriptor, i.chr }
      close descriptor
    end
  end

  waste "a temporary file is removed after its rename", unlink_after_rename: "a.rb:6" do
    10.times do |i|
      line 4, "write"
      write_file "tmp#{i}", i.to_s
      line 5, "rename"
      rename "tmp#{i}", "final#{i}"
      line 6, "unlink"
      unlink "tmp#{i}"
      raised
    end
  end

  waste "PStore digests what it has read, twice", needless_digest: "a.rb:9" do
    10.times do |i|
      file "store#{i}", "data #{i}"
      line 4
      read_file "store#{i}"
      line 5, "digest"
      call :digest, bytes: 6, result: 100 + i
      line 9, "digest"
      call :digest, bytes: 6, result: 100 + i
    end
  end

  waste "a backtrace for a log that is off", dropped_backtrace: "a.rb:4" do
    20.times do
      line 4, "backtrace"
      call :backtrace, bytes: 60
      line 9, "write"
      call :write, bytes: 200
    end
  end

  # == and what is no waste

  look_alike "each file is asked once" do
    line 3, "mtime"
    50.times { |i| file("f#{i}") && stat("f#{i}") }
  end

  look_alike "the program has changed the file" do
    file "a"
    20.times do |i|
      line 3, "mtime"
      stat "a"
      line 4, "write"
      write_file "a", "text #{i}"
    end
  end

  look_alike "another process has changed the file" do
    file "a"
    20.times do |i|
      line 3, "mtime"
      stat "a"
      process(200) { line(9, "write") && write_file("a", "text #{i}") }
    end
  end

  look_alike "a tool outside of Ruby creates what is missing" do
    20.times do
      line 3, "exist?"
      stat "a"
      process(200, argv: %w[touch a], ruby: nil) { outside_ruby && write_file("a", "x") && unlink("a") }
    end
  end

  look_alike "a folder above was renamed, and back" do
    directory "d"
    file "d/a"
    20.times do
      line 3, "mtime"
      stat "d/a"
      line 4, "rename"
      rename "d", "e"
      rename "e", "d"
    end
  end

  look_alike "the mode was changed" do
    file "a"
    20.times do
      line 3, "readable?"
      eaccess "a", 4
      line 4, "chmod"
      chmod "a"
    end
  end

  look_alike "a folder above got another mode" do
    directory "d"
    file "d/a"
    20.times do
      line 3, "readable?"
      eaccess "d/a", 4
      line 4, "chmod"
      chmod "d"
    end
  end

  look_alike "the time was set" do
    file "a"
    20.times do
      line 3, "mtime"
      stat "a"
      line 4, "utime"
      utime "a"
    end
  end

  look_alike "a watcher asks each 1.5 seconds" do
    file "a"
    line 3, "mtime"
    20.times { pause(1500) && stat("a") }
  end

  look_alike "a program waits for a file" do
    line 3, "exist?"
    40.times { pause(20) && stat("a") }
  end

  look_alike "a program waits for one of two files" do
    40.times do
      pause 10
      line 3, "exist?"
      stat "a"
      line 4, "exist?"
      stat "b"
    end
  end

  look_alike "stat follows the link, lstat does not" do
    20.times do |i|
      file "f#{i}"
      link "l#{i}", "f#{i}"
      line 3, "lstat"
      lstat "l#{i}"
      line 8, "stat"
      stat "l#{i}"
    end
  end

  look_alike "access asks for other rights" do
    20.times do |i|
      file "f#{i}"
      line 3, "readable?"
      eaccess "f#{i}", 4
      line 9, "writable?"
      eaccess "f#{i}", 2
    end
  end

  look_alike "somebody else changes the file" do
    file "a"
    20.times do |i|
      line 3, "mtime"
      stat "a"
      secretly { write_file("a", i.to_s) }
    end
  end

  look_alike "each thread asks for itself" do
    file "a"
    20.times { |number| thread(number) { line(3, "mtime") && stat("a") } }
  end

  look_alike "each process asks for itself" do
    file "a"
    20.times { |number| process(200 + number) { line(3, "mtime") && stat("a") } }
  end

  look_alike "a program that nobody records may change everything" do
    file "a"
    line 2, "spawn"
    call :spawn, "/usr/bin/static", bytes: 999
    line 3, "readable?"
    20.times { eaccess "a", 4 }
  end

  look_alike "the kernel's own files change by themselves" do
    file "/proc/loadavg", "0.1 0.2"
    line 3, "read"
    20.times { read_file "/proc/loadavg" }
    line 4, "exist?"
    20.times { stat "/proc/77" }
  end

  look_alike "three repetitions are no habit" do
    file "a"
    line 3, "mtime"
    4.times { stat "a" }
  end

  look_alike "calls outside of Ruby" do
    file "a"
    outside_ruby
    100.times { stat "a" }
  end

  look_alike "the time of a folder, after each new entry" do
    directory "d"
    20.times do |i|
      line 3, "mtime"
      stat "d"
      line 4, "write"
      write_file "d/#{i}", "x"
    end
  end

  look_alike "a file is read again after each change" do
    20.times do |i|
      line 3, "write"
      write_file "a", "text #{i}"
      line 4, "read"
      read_file "a"
    end
  end

  look_alike "files with equal content" do
    line 4, "read"
    20.times { |i| file("f#{i}", "same") && read_file("f#{i}") }
  end

  look_alike "the time decides, and then the file is read" do
    20.times do |i|
      file "f#{i}"
      line 3, "mtime"
      stat "f#{i}"
      line 4, "read"
      read_file "f#{i}"
    end
  end

  look_alike "the check is for its answer, and few files are read" do
    40.times do |i|
      file "f#{i}"
      line 3, "exist?"
      stat "f#{i}"
      line 4, "read"
      read_file "f#{i}" if i % 8 == 0
    end
  end

  look_alike "all files are checked first, and read much later" do
    20.times { |i| file "f#{i}" }
    line 3, "exist?"
    20.times { |i| stat "f#{i}" }
    pause 500
    line 4, "read"
    20.times { |i| read_file "f#{i}" }
  end

  look_alike "the check is in another method" do
    20.times do |i|
      file "f#{i}"
      line 3, "exist?", label: "known?"
      stat "f#{i}"
      line 40, "read", label: "load"
      read_file "f#{i}"
    end
  end

  look_alike "what does not exist is computed and written" do
    20.times do |i|
      line 3, "exist?"
      stat "f#{i}"
      line 4, "write"
      write_file "f#{i}", i.to_s
    end
  end

  look_alike "only what exists is overwritten" do
    20.times do |i|
      file "f#{i}"
      line 3, "exist?"
      stat "f#{i}"
      line 4, "write"
      write_file "f#{i}", "text #{i}"
    end
  end

  look_alike "directory? chooses between two uses" do
    20.times do |i|
      i.even? ? directory("e#{i}") : file("e#{i}")
      line 3, "directory?"
      stat "e#{i}"
      line 4, i.even? ? "children" : "read"
      i.even? ? list("e#{i}") : read_file("e#{i}")
    end
  end

  look_alike "most files to be deleted are not there" do
    100.times do |i|
      file "f#{i}" if i % 10 == 0
      line 3, "exist?"
      stat "f#{i}"
      line 3, "delete"
      unlink "f#{i}" if i % 10 == 0
    end
  end

  look_alike "most directories are there" do
    100.times do |i|
      directory "d#{i}" if i % 10 != 0
      line 3, "exist?"
      stat "d#{i}"
      line 3, "mkdir"
      mkdir "d#{i}" if i % 10 == 0
    end
  end

  look_alike "one of a hundred is missing, and rescued" do
    line 3, "read"
    600.times do |i|
      file "f#{i}", i.to_s unless i % 100 == 0
      read_file("f#{i}") || raised
    end
  end

  look_alike "each worker dies of an error" do
    20.times do |number|
      process(200 + number) do
        line 3, "open"
        open "missing#{number}"
        raised
      end
    end
  end

  look_alike "errors that no call caused" do
    file "a"
    line 3
    20.times do |i|
      file("f#{i}") && stat("f#{i}")
      raised error: "ENOENT"
    end
  end

  look_alike "a pipe is not ready" do
    line 3, "read_nonblock"
    20.times do
      call :read, "pipe", error: "EAGAIN", descriptor: 7
      raised class_name: "IO::EAGAINWaitReadable"
    end
  end

  look_alike "the content alternates" do
    line 4, "write"
    10.times { |i| write_file "a", i.even? ? "on" : "off" }
  end

  look_alike "the same line is appended" do
    line 4, "write"
    10.times { write_file "log", "line", "a" }
  end

  look_alike "the file is restored after somebody changed it" do
    4.times do
      line 4, "write"
      write_file "a", "mine"
      process(200) { line(9, "write") && write_file("a", "theirs") }
    end
  end

  look_alike "a copy of the content into new files" do
    file "a", "text"
    line 3, "read"
    read_file "a"
    line 4, "write"
    10.times { |i| write_file "copy#{i}", "text" }
  end

  look_alike "an empty file is touched" do
    line 4, "write"
    10.times { write_file "stamp", "" }
  end

  look_alike "what RubyGems itself does in each program" do
    file "gems"
    line 80, "realpath", file: "/usr/lib/ruby/vendor_ruby/rubygems/path_support.rb"
    12.times { realpath("gems") && stat("gems") }
    line 1287, "exist?", file: "/usr/lib/ruby/vendor_ruby/rubygems.rb"
    20.times { stat "gems" }
  end

  look_alike "many paths are resolved, each once" do
    line 4, "realpath"
    50.times { |i| file("f#{i}") && realpath("f#{i}") }
  end

  look_alike "a link points elsewhere each time" do
    file "a"
    20.times do
      line 4, "realpath"
      realpath "l"
      line 5, "symlink"
      unlink "l"
      link "l", "a"
      call :symlink, "l", to: "/w/a"
    end
  end

  look_alike "five hundred folders that have nothing to do with each other" do
    line 4, "children"
    500.times { |i| directory("r#{i}/d") && list("r#{i}/d") }
  end

  look_alike "a small tree" do
    line 4, "children"
    directory "t"
    list "t"
    40.times { |i| directory("t/#{i}") && list("t/#{i}") }
  end

  look_alike "several threads share a walk" do
    directory "t"
    line 4, "children"
    list "t"
    300.times { |i| directory("t/#{i}") && thread(i % 4) { line(4, "children") && list("t/#{i}") } }
  end

  look_alike "some libraries of Ruby's own" do
    line nil, "require", file: nil, outer: [["/app/boot.rb", 9, "<main>"]]
    40.times { |i| 12.times { |folder| open "lib/#{folder}/#{i}.rb" } }
  end

  look_alike "the first bytes of many files" do
    line 4, "binread"
    100.times do |i|
      file "f#{i}", "x" * 9000
      descriptor = open("f#{i}")
      read descriptor, "magic#{i}"
      close descriptor
    end
  end

  look_alike "records of a large index" do
    file "index", "x" * 2_000_000
    line 4, "sysread"
    descriptor = open("index")
    fstat descriptor
    200.times { |i| read descriptor, "record#{i}" }
    close descriptor
  end

  look_alike "records here and there" do
    file "index", "x" * 9000
    line 4, "sysread"
    descriptor = open("index")
    100.times { |i| seek(descriptor) && read(descriptor, "record#{i}") }
    close descriptor
  end

  look_alike "messages from a fifo" do
    file "fifo", "x"
    line 4, "sysread"
    descriptor = open("fifo")
    100.times { |i| pause(10) && read(descriptor, "message#{i}") }
    close descriptor
  end

  look_alike "files that were renamed long ago" do
    10.times { |i| file("f#{i}") && line(3, "rename") && rename("f#{i}", "g#{i}") }
    pause 3000
    line 4, "unlink"
    10.times { |i| unlink "f#{i}" }
  end

  look_alike "digests of files that differ" do
    10.times do |i|
      file "f#{i}", i.to_s
      line 4, "read"
      read_file "f#{i}"
      line 5, "digest"
      call :digest, bytes: 6, result: 100 + i
    end
  end

  look_alike "digests of two files with the same content" do
    20.times do |i|
      file "f#{i}", "same"
      line 4, "read"
      read_file "f#{i}"
      line 5, "digest"
      call :digest, bytes: 4, result: 7
    end
  end

  look_alike "what was digested is written" do
    20.times do |i|
      line 5, "digest"
      call :digest, bytes: 4, result: 7
      line 6, "write"
      write_file "manifest", i.to_s
    end
  end

  look_alike "a backtrace that is logged" do
    20.times do
      line 4, "backtrace"
      call :backtrace, bytes: 60
      line 9, "write"
      call :write, bytes: 5000
    end
  end

  look_alike "another thread logs the backtraces" do
    20.times do
      line 4, "backtrace"
      call :backtrace, bytes: 60
      thread(2) { line(9, "write") && call(:write, bytes: 5000) }
    end
  end
end
