# frozen_string_literal: true

# Programs that write, read, list, digest or raise again, with good reason.
module ProfileCorpus
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

  look_alike "several threads share a walk" do
    directory "t"
    line 4, "children"
    list "t"
    300.times { |i| directory("t/#{i}") && thread(i % 4) { line(4, "children") && list("t/#{i}") } }
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
    100.times { |i| wait(10) && read(descriptor, "message#{i}") }
    close descriptor
  end

  look_alike "files that were renamed before a wait" do
    10.times { |i| file("f#{i}") && line(3, "rename") && rename("f#{i}", "g#{i}") }
    wait 1
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
