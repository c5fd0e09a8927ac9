# frozen_string_literal: true

require_relative "../test_helper"
require "shellwords"
require "frugal/store"

# A file with unchanged times is not read again, but only on a known type of file system.
# If the type cannot be found out, the file is read again.
class FileTimesTest < Frugal::TestCase
  # Reads one file three times, and prints for each whether it was really read.
  SCRIPT = <<~RUBY
    require "frugal/store"
    file = Frugal::Store::SharedFile.new
    print Array.new(3) { sleep(0.15); file.share(ARGV[0]) == true ? "known" : "read" }.join(" ")
  RUBY

  def setup
    skip "the processes of this test are MRI's" unless RUBY_ENGINE == "ruby"
    skip "namespaces are Linux's, and for root" unless RUBY_PLATFORM.include?("linux") && Process.uid.zero?
    @script = write("script.rb", SCRIPT)
    @file = write("store", "bytes")
  end

  def test_a_known_file_system
    skip "this test's folder is on #{type_of_folder}" unless %w[ext4 xfs btrfs tmpfs].include?(type_of_folder)
    assert_equal "read known known", reads("true")
  end

  # The lower file system may have another clock, so the times must have been seen before.
  def test_overlay
    folders = %w[lower upper work].map { |name| "#{name}dir=#{mkdir(name)}" }
    write("lower/store", "bytes")
    over = mkdir("over")
    expected = Frugal::Native.engine_name == :c ? "read read known" : "read read read"
    assert_equal expected, reads("mount -t overlay -o #{folders.join(",")} none #{over}", "#{over}/store")
  end

  def test_without_proc
    assert_equal "read read read", reads("mount -t tmpfs none /proc")
  end

  def test_a_fake_proc
    mounts = write("mountinfo", File.read("/proc/self/mountinfo"))
    assert_equal "read read read",
                 reads("mount -t tmpfs none /proc && mkdir -p /proc/self/fdinfo && cp #{mounts} /proc/self/ && " \
                       "for n in 3 4 5 6 7 8 9; do echo 'mnt_id: 27' >/proc/self/fdinfo/$n; done")
  end

  def test_a_mount_of_another_namespace
    assert_equal "read read read",
                 reads("exec 9<#{@file} && umount -l #{File.dirname(@file)}", "/proc/self/fd/9", bind: true)
  end

  def test_in_a_chroot_without_proc
    skip "the libraries of a chroot are bound, on Linux" unless File.directory?("/usr")
    root = mkdir("root")
    places = %w[/usr /lib /lib64 /bin /etc /var /opt].select { |place| File.exist?(place) }
    places.push(ROOT, File.dirname(@file))
    bound = places.map { |place| [place, "#{root}#{place}"].map(&:shellescape) }
                  .map { |place, inside| "mkdir -p #{inside} && mount --bind #{place} #{inside}" }.join(" && ")
    assert_equal "read read read", reads(bound, @file, before: ["chroot", root])
  end

  private

  # Runs the script in its own mount namespace, after a shell command.
  def reads(command, file = @file, bind: false, before: [])
    command = "mount --bind #{File.dirname(@file)} #{File.dirname(@file)} && cd / && #{command}" if bind
    program = [*before, RbConfig.ruby, "-I", "#{ROOT}/lib", @script, file]
    program = [RbConfig.ruby, "-I", "#{ROOT}/lib", "-e", SCRIPT, file] if bind
    run = run_command("unshare", "-m", "sh", "-c", "#{command} && exec \"$@\"", "sh", *program)
    skip "no namespace may be made here" if run.err.include?("unshare")
    assert run.success?, run
    run.out
  end

  def type_of_folder = `stat -f -c %T #{path("").shellescape}`.chomp.sub("ext2/ext3", "ext4")
end
