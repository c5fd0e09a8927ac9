# frozen_string_literal: true

# Programs that ask the file system too much.
module ProfileCorpus
  waste "the same file is asked in a loop", redundant_call: "a.rb:3" do
    file "a"
    line 3, "mtime"
    20.times { stat "a" }
  end

  waste "three repetitions", redundant_call: "a.rb:3" do
    file "a"
    line 3, "mtime"
    4.times { stat "a" }
  end

  waste "what RubyGems itself does in each program", repeated_realpath: "/usr/lib/ruby/vendor_ruby/rubygems/path_support.rb:80",
                                                     redundant_call: "/usr/lib/ruby/vendor_ruby/rubygems.rb:1287" do
    file "gems"
    line 80, "realpath", file: "/usr/lib/ruby/vendor_ruby/rubygems/path_support.rb"
    12.times { realpath("gems") && stat("gems") }
    line 1287, "exist?", file: "/usr/lib/ruby/vendor_ruby/rubygems.rb"
    20.times { stat "gems" }
  end

  waste "a folder is listed for each ending of names", repeated_listing: "a.rb:4" do
    %w[a b].each { |name| directory name }
    line 4, "glob"
    103.times { %w[a b].each { |name| list name } }
  end

  waste "two lines list the same folder", repeated_listing: "a.rb:9" do
    directory "d"
    line(4, "children") && list("d")
    line(9, "glob") && list("d")
  end

  waste "the program computes for a second between two questions", redundant_call: "a.rb:3" do
    file "a"
    line 3, "mtime"
    10.times { stat("a") && pause(1000) }
  end

  waste "all files are checked first, and read after a long computation", check_then_use: "a.rb:3" do
    20.times { |i| file "f#{i}" }
    line 3, "exist?"
    20.times { |i| stat "f#{i}" }
    pause 500
    line 4, "read"
    20.times { |i| read_file "f#{i}" }
  end

  waste "Rake asks whether a file exists, and for its time", redundant_call: "main.rb:1 → #{RAKE}:17" do
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
end
