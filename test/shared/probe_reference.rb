# frozen_string_literal: true

# File and Dir are the reference of the probes: what a probe answers is compared
# with what its namesake there does.
#
#   assert_same_error(File.method(:size), faulty) { |path| Frugal.size(path) }
module ProbeReference
  NAMESAKES = {
    mtime: File.method(:mtime), size: File.method(:size), stat: File.method(:stat), type: File.method(:ftype),
    readlink: File.method(:readlink), entries: Dir.method(:entries), children: Dir.method(:children),
    read: File.method(:read)
  }.freeze

  BATCHES = { mtimes: :mtime, stats: :stat }.freeze

  private

  def outcome
    value = comparable(yield)
    [value, Array(value).grep(String).map(&:encoding)]
  rescue StandardError => error
    [error.class, error.message]
  end

  # Two File::Stat are equal when their mtimes are: too little here.
  def comparable(value)
    case value
    when File::Stat then [value.class, value.inspect, birth(value)]
    when Array then value.map { |one| comparable(one) }
    else value
    end
  end

  def birth(stat)
    stat.birthtime if stat.respond_to?(:birthtime)
  rescue NotImplementedError => error # by the file system
    error.message
  end

  def assert_same_outcome(reference, ours)
    assert_equal outcome(&reference), outcome(&ours)
  end

  # The probe's answer, in every respect, is its namesake's; nil where that misses.
  def assert_as_namesake(probe, path)
    assert_same_outcome(-> { hit(NAMESAKES.fetch(probe), path) }, -> { Frugal.public_send(probe, path) })
  end

  def hit(namesake, path)
    namesake.call(path)
  rescue Errno::ENOENT, Errno::ENOTDIR
    nil
  end

  # JRuby takes some faults for a miss, or for none: File.size and all of Dir do.
  def assert_same_error(reference, argument, &ours)
    return assert_as_jruby(reference, argument, ours) if RUBY_ENGINE == "jruby"

    expected = assert_raises(StandardError) { reference.call(argument) }
    actual = assert_raises(expected.class) { ours.call(argument) }
    assert_equal expected.message, actual.message
  end

  def assert_as_jruby(reference, argument, ours)
    expected, actual = outcome { hit(reference, argument) }, outcome { ours.call(argument) }
    return assert_equal expected, actual if expected.first

    assert_includes [nil, false, [nil, nil]], actual.first # so a miss reads, from a probe, exist? and a batch of two
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
