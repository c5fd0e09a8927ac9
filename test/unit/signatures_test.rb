# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/racks"

# sig/ against the code: it is valid, it names every public method and no other,
# and what the methods take and give has the types that it says.
class SignaturesTest < Frugal::TestCase
  SIG = File.join(ROOT, "sig")
  MODULES = %w[Frugal Frugal::Probe Frugal::Walk Frugal::Walk::PathList Frugal::Walk::DiskUsage Frugal::TreeSnapshot
               Frugal::TreeSnapshot::Changes Frugal::Native Frugal::Dropin Frugal::Compare Frugal::Store
               Frugal::Store::CanonicalMarshal Frugal::HTTPError Frugal::HTTP Frugal::HTTP::Accept
               Frugal::HTTP::ErrorPage Frugal::HTTP::Statuses Frugal::Rack::Responder Frugal::CLI Frugal::Doctor
               Frugal::Budget Frugal::Budget::Result Frugal::Budget::LimitsFile Frugal::Cost Frugal::Cost::Limits
               Frugal::Cost::Assertions Frugal::Session Frugal::Cache::Directory Frugal::Cache::Maintenance].freeze

  def setup
    rbs = Gem::Specification.find_all_by_name("rbs").max_by(&:version)
    skip "the gem rbs is not here" unless rbs
    @rbs = rbs.bin_file("rbs")
  end

  def test_valid
    result = run_command(RUBY, @rbs, "-I", SIG, "validate", "--silent")
    assert result.success?, result
  end

  def test_every_public_method_has_a_signature_and_no_other_has
    require "rbs"
    %w[compare budget cost cost/assertions doctor cli walk/disk_usage store store/canonical_marshal rack session cache].each { |file| require "frugal/#{file}" }
    require "frugal/files" if Racks.load
    (Racks::NEWEST ? MODULES + %w[Frugal::Files] : MODULES).each do |name|
      code = Object.const_get(name)
      assert_equal own(code.singleton_class, except: %i[new allocate]), signatures(name, :singleton), "#{name}.*"
      assert_equal own(code), signatures(name, :instance), "#{name}#*"
    end
  end

  # rbs/test wraps the methods and raises at each call that its signature forbids.
  def test_types_hold_at_run_time
    write("file")
    result = run_ruby("-W0", "-rpathname", "-rfrugal/store", "-rfrugal/rack", "-rrbs", "-rrbs/test", "-e", <<~'RUBY', SIG, tree)
      loader = RBS::EnvironmentLoader.new
      loader.add(path: Pathname(ARGV[0]))
      tester = RBS::Test::Tester.new(env: RBS::Environment.from_loader(loader).resolve_type_names)
      RBS.logger_level = "error"
      [Frugal, Frugal::Probe, Frugal::Walk, Frugal::Walk::PathList, Frugal::TreeSnapshot, Frugal::TreeSnapshot::Changes, Frugal::Dropin, Frugal::Store, Frugal::HTTPError, Frugal::HTTP, Frugal::HTTP::Accept, Frugal::HTTP::ErrorPage, Frugal::Rack::Responder].each do |code|
        tester.install!(code, sample_size: 100, unchecked_classes: [])
      end

      file = "#{ARGV[1]}/file"
      [Pathname(file), file, ARGV[1], "missing"].each do |path|
        Frugal.mtime(path)
        Frugal.mtimes([path, file])
        Frugal.type(path)
        Frugal.entries(path)
        Frugal.children(path)
        Frugal.size(path)
        Frugal.stat(path)
        Frugal.stats([path])
        Frugal.exist?(path)
        Frugal.readlink(path) unless Frugal.exist?(path)
        Frugal.read(path) unless path == ARGV[1]
      end
      list = Frugal.walk(ARGV[1], stat: :size, ext: %w[c h], follow: :once, on_error: ->(_path, _error) {})
      [list.size, list.first, list.last, list[0], list.to_a, list.column(:size), list.each.size, list.inspect]
      Frugal.count(Pathname(ARGV[1]), hidden: true)
      Frugal.each_path(ARGV[1], sort: false) { |path| path }
      snapshot = Frugal::TreeSnapshot.new(ARGV[1], glob: "*", prune: %w[a b], on_error: ->(_path, _error) {})
      changes = snapshot.refresh
      [changes.added, changes.removed, changes.empty?, changes.inspect, snapshot.paths, snapshot.inspect]
      store = Frugal::Store.new("#{ARGV[1]}/store", durability: :durable)
      store[:a] = store.transaction { store[:b] = store.fetch(:c, 1) }
      store.transaction { store.abort }
      store.transaction(true) { store.commit }
      [store[:a], store.update(:a) { |value| value + 1 }, store.key?(:a), store.keys(prefix: "a"), store.roots, store.each.to_a, store.each {}]
      [store.write(:d, 1), store.write(:d, 1, expires_in: 2.5), store.expire(:d, 3), store.expire(:d, nil), store.ttl(:d), store.values_at(:a, :d)]
      [store.delete(:a), store.fetch(:a) { 1 }, store.path, store.inspect, store.close]
      [-> { Frugal.halt(404, "no", "x" => "1", "y" => %w[1 2]) }, -> { Frugal.signal(KeyError, "no") }].each do |way|
        way.call
      rescue Frugal::HTTPError, KeyError => error
        [error.message, (error.headers if error.is_a?(Frugal::HTTPError)), Frugal::HTTPError[:gone].new("x", body: nil).status]
      end
      responder = Frugal::Rack::Responder.new(->(env) { env["kind"] ? raise(env["kind"]) : [200, {}, []] }, rescue_responses: { "KeyError" => 404, IOError => nil, Errno: :gone })
      [{}, { "kind" => KeyError }, { "kind" => Frugal::HTTPError, "HTTP_ACCEPT" => "text/plain" }].each { |env| responder.call(env) }
      Frugal.enable(:rake)
      Frugal::Dropin.enable("rake")
      Frugal::Dropin.status
      puts "checked"

      [-> { Frugal.enable(1) }, -> { Frugal.type(nil) }, -> { Frugal.mtimes(file) }].each do |wrong|
        wrong.call
      rescue Exception => error # rbs raises no StandardError
        puts error.class
      end
    RUBY
    # The lines after "checked" prove that it does check.
    assert_equal ["checked", *["RBS::Test::Tester::TypeError"] * 3], result.out.lines(chomp: true), result
  end

  LARGE_OR_COUNTED = "/durable|sqlite|random|deep|wide|in_the_middle|order_of_core|costs/"

  # As `rbs test` does it: every call of a public method in these files is checked. A test that passes a wrong argument
  # and expects an error gets RBS's error instead; that is all that may fail.
  def test_types_hold_in_the_shared_tests
    files = %w[probe walk tree_snapshot disk_usage store http_error].map { |name| "#{ROOT}/test/shared/#{name}_test.rb" }
    code = "ARGV.shift(#{files.size}).each { |file| require file }"
    settings = { "RBS_TEST_TARGET" => "Frugal,Frugal::*", "RBS_TEST_OPT" => "-I sig", "RBS_TEST_LOGLEVEL" => "error",
                 "RBS_TEST_SAMPLE_SIZE" => "20" }
    result = run_command(RUBY, "-W0", "-I", File.join(ROOT, "lib"), "-rlogger", "-rrbs/test/setup", "-e", code, *files,
                         "--exclude", LARGE_OR_COUNTED, chdir: ROOT, env: settings)
    runs, failures = result.out.scan(/^(\d+) runs, \d+ assertions, (\d+) failures, 0 errors/).last&.map(&:to_i)
    assert runs && runs > 120, result
    # More than none, or the types are not checked: Frugal.mtime(nil) is one.
    assert_operator failures, :>, 5, result
    expected = "exception expected, not\nClass: <RBS::Test::Tester::TypeError>\n"
    assert_equal failures, result.out.scan(expected).size, result
    assert_empty result.out.scan(/^Message: <"TypeError: \[\S+\] (?!Argument(?:Type)?Error: ).*/), result
  end

  private

  def own(code, except: []) = code.public_instance_methods(false).sort - except

  def signatures(name, kind)
    type_name = RBS::TypeName.new(name: name.split("::").last.to_sym, namespace: namespace(name))
    definition = kind == :singleton ? builder.build_singleton(type_name) : builder.build_instance(type_name)
    methods = definition.methods.select { |_, method| method.public? && method.implemented_in == type_name }
    methods.keys.sort - %i[new initialize]
  end

  def namespace(name)
    RBS::Namespace.new(path: name.split("::")[0...-1].map(&:to_sym), absolute: true)
  end

  def builder
    @builder ||= begin
      loader = RBS::EnvironmentLoader.new
      loader.add(path: Pathname(SIG))
      RBS::DefinitionBuilder.new(env: RBS::Environment.from_loader(loader).resolve_type_names)
    end
  end
end
