# frozen_string_literal: true

# The methods of {SessionContract} for files.
module SessionFiles
  private

  def kept = files.map { |file| file.split("/").last(2).join }

  def everything = Dir.glob("#{dir}/**/*").map { |file| File.file?(file) ? file + File.binread(file) : file }.join

  def state = files.map { |file| [file, File.binread(file), File.stat(file).ino, File.mtime(file)] }

  def age(seconds)
    time = Time.now - seconds
    File.utime(time, time, files[0])
  end

  def unused = Time.now - File.mtime(files[0])

  def record(digest)
    entry = Frugal::Entries.new(dir).read(digest)
    Struct.new(:bytes, :format).new(entry.bytes, entry.serializer)
  end

  def plant(digest, bytes, format)
    Frugal::Entries.new(dir).update(digest) { |handle| handle.write(bytes, serializer: format) }
  end

  def move(digest, other)
    from, to = [digest, other].map { |name| @middleware.backend.entries.path(name) }
    FileUtils.mkdir_p(File.dirname(to))
    File.rename(from, to)
  end

  # There is no lock of an open file elsewhere.
  def turns?
    RbConfig::CONFIG["host_os"].include?("linux") && (RUBY_ENGINE == "ruby" || Frugal::Native.engine_name == :java)
  end
end
