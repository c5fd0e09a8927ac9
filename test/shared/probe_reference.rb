# frozen_string_literal: true

# Compares the answer of a probe with that of the method of the same name in File or Dir.
#
#   assert_same_error(File.method(:size), faulty) { |path| Frugal.size(path) }
module ProbeReference
  NAMESAKES = {
    mtime: File.method(:mtime), size: File.method(:size), stat: File.method(:stat), type: File.method(:ftype),
    readlink: File.method(:readlink), entries: Dir.method(:entries), children: Dir.method(:children),
    read: File.method(:read)
  }.freeze

  # The Java engine has names as bytes, and the kernel's errors, where JRuby does not.
  JAVA = Frugal::Native.engine_name == :java

  BATCHES = { mtimes: :mtime, stats: :stat }.freeze

  private

  def outcome
    value = comparable(yield)
    [value, Array(value).grep(String).map(&:encoding)]
  rescue StandardError => e
    [e.class, e.message]
  end

  # File::Stat#== compares only the mtime, which is not enough here.
  def comparable(value)
    case value
    when File::Stat then [value.class, value.inspect, birth(value)]
    when Array then value.map { |one| comparable(one) }
    else value
    end
  end

  def birth(stat)
    stat.birthtime if stat.respond_to?(:birthtime)
  rescue NotImplementedError => e # the file system has no birth times
    e.message
  end

  def assert_same_outcome(reference, ours)
    assert_equal outcome(&reference), outcome(&ours)
  end

  # Asserts that the probe's answer equals that of its namesake, or is nil if that raises for a miss.
  def assert_as_namesake(probe, path)
    assert_same_outcome(-> { hit(NAMESAKES.fetch(probe), path) }, -> { Frugal.public_send(probe, path) })
  end

  def hit(namesake, path)
    namesake.call(path)
  rescue Errno::ENOENT, Errno::ENOTDIR
    nil
  end

  # In JRuby, File.size and Dir report some faults as a miss, or not at all.
  def assert_same_error(reference, argument, &ours)
    return assert_as_jruby(reference, argument, ours) if RUBY_ENGINE == "jruby"

    expected = assert_raises(StandardError) { reference.call(argument) }
    actual = assert_raises(expected.class) { ours.call(argument) }
    assert_equal expected.message, actual.message
  end

  def assert_as_jruby(reference, argument, ours)
    expected, actual = outcome { hit(reference, argument) }, outcome { ours.call(argument) }
    expected = exactly(expected, argument) if JAVA && argument.is_a?(String)
    return assert_equal expected, actual if expected.first

    assert_includes [nil, false, [nil, nil]], actual.first # a miss, as returned by a probe, exist?, and a batch of two
  end

  # What the kernel says of a path that JRuby's Dir says is missing, or empty: the Java engine has its errno.
  def exactly(outcome, path)
    return [outcome[0], outcome[1].sub("No message available", path)] if outcome[1].is_a?(String)
    return outcome unless [nil, []].include?(outcome[0])

    File.stat(path)
    [Errno::EACCES, "Permission denied - #{path}"]
  rescue Errno::ENOENT, Errno::ENOTDIR
    outcome
  rescue SystemCallError => e
    [e.class, e.message]
  end

  def with_encodings(external, internal)
    before = [Encoding.default_external, Encoding.default_internal]
    silently { Encoding.default_external, Encoding.default_internal = external, internal }
    yield
  ensure
    silently { Encoding.default_external, Encoding.default_internal = before }
  end

  def silently
    verbose, $VERBOSE = $VERBOSE, nil
    yield
  ensure
    $VERBOSE = verbose
  end
end
