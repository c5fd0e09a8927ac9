# frozen_string_literal: true

# Programs that ask again, with good reason.
module ProfileCorpus
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
    20.times { wait(1500) && stat("a") }
  end

  look_alike "a folder is listed after each wait" do
    directory "d"
    line 3, "children"
    40.times { wait(20) && list("d") }
  end

  look_alike "a folder is listed again because a file was made in it" do
    directory "d"
    40.times do |i|
      line 3, "children"
      list "d"
      line 4, "write"
      write_file "d/#{i}", "x"
    end
  end

  look_alike "two folders are listed, each once" do
    line 3, "children"
    %w[d e].each { |name| directory(name) && list(name) }
  end

  look_alike "a program waits for a file" do
    line 3, "exist?"
    40.times { wait(4) && stat("a") }
  end

  look_alike "a program waits for one of two files" do
    40.times do
      wait 10
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

  look_alike "all files are checked first, and read after a wait" do
    20.times { |i| file "f#{i}" }
    line 3, "exist?"
    20.times { |i| stat "f#{i}" }
    wait 1
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

  # Ruby does so, and no program can change it.
  look_alike "require resolves the folders above each file" do
    line nil, "require", file: nil, outer: [["/app/boot.rb", 9, "<main>"]]
    1200.times do |i|
      file "lib/#{i}.rb"
      realpath "lib/#{i}.rb"
    end
  end
end
