# frozen_string_literal: true

# Programs that write, read, list, digest or raise too much.
module ProfileCorpus
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

  waste "FileUtils.rm_f of what is not there", rescued_error: "main.rb:1 → /usr/lib/ruby/3.1.0/fileutils.rb:1132" do
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

  waste "Find.find", serial_walk: "main.rb:1 → /usr/lib/ruby/3.1.0/find.rb:53" do
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

  waste "a small tree", serial_walk: "a.rb:4" do
    line 4, "children"
    directory "t"
    list "t"
    40.times { |i| directory("t/#{i}") && list("t/#{i}") }
  end

  waste "some libraries of Ruby's own", load_path_misses: "boot.rb:9" do
    line nil, "require", file: nil, outer: [["/app/boot.rb", 9, "<main>"]]
    40.times { |i| 12.times { |folder| open "lib/#{folder}/#{i}.rb" } }
  end

  waste "Dir.glob of all", serial_walk: "a.rb:4" do
    line 4, "glob"
    (["tree"] + Array.new(300) { |i| "tree/#{i}" }).each do |name|
      directory name
      list name, 1
    end
  end

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
end
