# frozen_string_literal: true

require "ripper"
require_relative "../test_helper"

# Rules for lib/ that a test of results would only find by luck.
class LintTest < Frugal::TestCase
  LIB_FRUGAL = File.join(ROOT, "lib/frugal")
  # What Ruby has before anything is loaded. An autoload of Ruby's own (Set, from 3.2 on) is none of these.
  CORE = IO.popen([RUBY, "--disable-gems", "-e", "puts Object.constants.reject { |name| Object.autoload?(name) }"], &:read).split.freeze

  # Which constants of others a file may name without Frugal::Constants, and why it is loaded by then.
  UPSTREAMS = {
    %r{\A(dropin/rake|native/pure/rake_)} => %w[Rake FileList Monitor], %r{\Adropin/find} => %w[Find], %r{\Adropin/pstore} => %w[PStore],
    %r{\Adropin/fileutils} => %w[FileUtils], %r{\Adropin/(active_support|file_update_checker)} => %w[ActiveSupport], %r{\Adropin/sprockets} => %w[Sprockets],
    # Rails loads the rest of itself, by its own autoload, when the drop-in is installed.
    %r{\Adropin/rails} => %w[Rails ActionController ActionDispatch ActionView ActiveSupport I18n Rack],
    %r{\Aprofile/rescuers/parser} => %w[SCANNER_EVENTS PARSER_EVENTS EXPR_MID], # Ripper's, which it inherits
    %r{\Acost/matcher} => %w[RSpec], # which frugal/rspec requires
    %r{\Aprofile/ruby_recorder/processes} => %w[Java], # which JRuby itself defines
    %r{\Anative/java} => %w[JRuby JRUBY_VERSION OpenFile], # which JRuby defines, and the jar
    %r{\Aautorun/start} => %w[Gem], # which is there from the start, unless with --disable-gems
    %r{\Aautorun/work} => %w[Rake PStore FileUtils ActiveSupport], # of which it has looked up a constant before
    %r{\Aautorun/ruby} => %w[Coverage], # which is looked up there, since the helper is not loaded yet
    %r{\A(autorun/jruby|dropin/dir/methods)} => %w[JRuby], %r{\Adropin/home} => %w[ENV_JAVA], # which JRuby has from the start
    %r{\A(dropin/)?sinatra} => %w[Sinatra Mustermann], %r{\Ahttp/files} => %w[Rack], # which frugal/files requires
    %r{\Arails/sessions} => %w[ActionDispatch], # which this file requires
    %r{\Asession/serializer/message_pack} => %w[MessagePack] # which message_pack_gem requires
  }.freeze
  # A file that names these requires them, or is only read by one that does.
  REQUIRED = { "JSON" => "json", "OptionParser" => "optparse", "Etc" => "etc", "RbConfig" => "rbconfig", "StringIO" => "stringio",
               "Tempfile" => "tempfile", "Zlib" => "zlib", "SQLite3" => "sqlite3", "MessagePack" => "msgpack",
               "RedisClient" => "redis_client", "OpenSSL" => "openssl", "URI" => "uri", "SecureRandom" => "securerandom", "Find" => "find",
               "FileUtils" => "fileutils", "Open3" => "open3", "Digest" => "digest", "Monitor" => "monitor",
               "Ripper" => "ripper", "Minitest" => "minitest", "RSpec" => "rspec/expectations",
               "DidYouMean" => "did_you_mean/spell_checker" }.freeze

  # const_get with a name that is not a constant of ours, and why that runs no autoload of the program's.
  LOOKED_UP = {
    "dropin/fileutils/hooks.rb" => "File, Dir and IO, which Ruby defines",
    "dropin/rails.rb" => "Rails' own parts: to install is to load them", "dropin/pstore/image.rb" => "PStore's own, which is loaded",
    "dropin/rake/hooks.rb" => "Rake's own parts, which Rake has loaded", "native/pure/file_times.rb" => "a clock of Process, which Ruby defines",
    "store/sqlite/connection.rb" => "sqlite3's own, which this file requires",
    "store/redis/connection.rb" => "redis-client's own, which this file requires", "constants.rb" => "the helper itself",
    "dropin/home.rb" => "RbConfig, evaluated in a module of ours", "profile/log.rb" => "Errno's, which Ruby defines",
    "profile/ruby_recorder/input.rb" => "Ruby's sockets, after a look at their autoload",
    "cli/profile.rb" => "one of our own reports", "autorun/loader.rb" => "the program's Frugal, after a look at its autoload"
  }.freeze

  # What defined? asks for that is not ours, and why it is loaded if it exists.
  DEFINED = { "store/redis/address.rb" => "RedisClient::ClusterConfig" }.freeze # RedisClient is, as this file uses it

  # Who asks for RUBY_ENGINE and RUBY_PLATFORM. The recorder in Ruby does, too: it is in the program's process without the rest of frugal.
  RECORDER_IN_RUBY = "profile/ruby_recorder/"
  ASKING = {
    "platform.rb" => "for all others", "autorun.rb" => "it decides whether anything else is loaded",
    "autorun/start.rb" => "it is loaded by every process, and loads nothing", "dropin/dir/entrance.rb" => "it is loaded by every process",
    "autorun/loader.rb" => "it loads the others", "autorun/unusual.rb" => "it is in the place of start.rb"
  }.freeze

  # Methods that a drop-in calls by name although they are not ours, and why another method of that name is to be called.
  SENT = {
    ["dropin/pstore/image.rb", ":dump"] => "a hook of the store's class", ["dropin/pstore/image.rb", ":load"] => "a hook of the store's class",
    ["dropin/pstore/image.rb", ":empty_marshal_data"] => "a hook of the store's class",
    ["dropin/pstore/image.rb", ":empty_marshal_checksum"] => "a hook of the store's class",
    ["dropin/rake/invocation.rb", ":lookup_prerequisite"] => "a task's class may have its own, and stock calls it",
    ["dropin/rake/invocation.rb", ":invoke_with_call_chain"] => "a task's class may have its own, and stock calls it",
    ["dropin/rake/invocation.rb", ":add_chain_to"] => "a task's class may have its own, and stock calls it",
    ["dropin/rake/invocation.rb", "step"] => "one of our own steps", ["autorun/work.rb", "sign.weight"] => "one of our own",
    ["dropin/replace.rb", ":private"] => "Module's, on upstream's class", ["dropin/replace.rb", "visible"] => "Module's, on upstream's class",
    ["dropin/replace.rb", ":remove_method"] => "Module's, on upstream's class",
    ["dropin/replace.rb", ":module_function"] => "Module's, on upstream's module"
  }.freeze

  # Who rescues OwnFailure, how often, and why it is not left to `or_stock` of EntryMethod.
  RESCUED = {
    "dropin/entry_method.rb" => [1, "it generates the clause from `or_stock`"],
    "dropin/own_failure.rb" => [1, "or_else, for helpers that have another answer than upstream's method"],
    "dropin/dir/methods.rb" => [3, "a process that has just started has not loaded OwnFailure: `raise unless failed?`"],
    "dropin/pstore/patch.rb" => [1, "stock's transaction may begin only after the file and the store are unlocked"],
    "dropin/fileutils.rb" => [1, "FileUtils' own methods run in the loop, and the copy has to be closed before stock's runs"],
    "dropin/rake/patches.rb" => [1, "tasks run in this frame, and Rake may start again only if none has"],
    "dropin/rails/show_exceptions.rb" => [3, "stock continues with the exception that was raised; two clauses pass the failure on"]
  }.freeze

  def test_a_drop_in_leaves_the_fallback_to_its_declaration
    found = matches(/\brescue\b.*\bOwnFailure\b|\braise unless .*\bfailed\?/) { true }.map { |place| place[/\A[^:]+/] }.tally
    assert_equal RESCUED.transform_values(&:first).sort, found.sort, "use or_stock (see EntryMethod) or OwnFailure.or_else"
  end

  # Anything else would be a call of a method that does not exist.
  def test_each_or_stock_is_one_that_entry_method_expands
    pattern = /(?:\A *|= )or_stock(?:\(\S+\))? \{ .+ \}$/
    found = each_file.reject { |file, _| file == "dropin/entry_method.rb" }.flat_map do |file, source|
      source.lines.grep(/\bor_stock\b/).grep_v(/^ *#/).map { |line| [file, line.chomp] }
    end
    assert_operator found.size, :>, 20
    assert_empty found.reject { |_, line| line.match?(pattern) }
  end

  def test_constants_of_the_program_are_looked_up_by_the_helper
    found = each_file.flat_map do |file, source|
      references(Ripper.sexp(source)).filter_map { |root, line, top| "#{file}:#{line} #{root}" unless ours_or_loaded?(file, root, top) }
    end
    assert_empty found, "use Frugal::Constants.loaded, or say in UPSTREAMS or REQUIRED why it is loaded"
    REQUIRED.each { |_, feature| assert_kind_of String, feature }
  end

  # It is true while a constant would be autoloaded, and while it is being loaded. A short name of ours, `defined?(Cache)`, means the program's
  # class of that name as long as ours is not loaded.
  def test_defined_asks_for_no_constant_of_the_program
    found = matches(/defined\?[( ]\s*((?:::)?[A-Z][\w:]*)/) do |file, (name)|
      !name.match?(/\A(?:::)?Frugal(?:Runtime)?\b/) && DEFINED[file] != name
    end
    assert_empty found, "use Frugal::Constants.loaded for the program's, and defined?(Frugal::…) for ours"
  end

  # Without false, it is true for a constant of that name that the program has.
  def test_const_defined_looks_for_no_constant_of_the_program
    found = matches(/([\w.]+)\.const_defined\?\((?!.*, false\))/) { |_, (receiver)| receiver != "Process" }
    assert_empty found, "use const_defined?(name, false)"
  end

  def test_one_file_knows_the_ruby_and_the_system
    asking = matches(/\b(RUBY_ENGINE|RUBY_PLATFORM)\b/) { true }.map { |place| place[/\A[^:]+/] }.uniq
    assert_equal ASKING.keys.sort, asking.reject { |file| file.start_with?(RECORDER_IN_RUBY) }.sort, "use Frugal::Platform"
  end

  def test_const_get_is_for_our_own_constants
    pattern = /(?:::)?(Object|[A-Z]\w*|[a-z_]\w*)\.const_get\(/
    found = matches(pattern) do |file, (receiver)|
      next if LOOKED_UP.key?(file)

      receiver == "Object" || !%w[engine Dropin File Store Chdir Native].include?(receiver)
    end
    assert_empty found, "use Frugal::Constants.loaded, or say in LOOKED_UP what it may find"
    LOOKED_UP.each_key { |file| assert_match(/const_get/, File.read(File.join(LIB_FRUGAL, file)), "#{file} needs no entry any more") }
  end

  # Whatever has been put in the place of upstream's method by then (a stub, somebody's alias) would answer: the
  # UnboundMethod is kept instead. Names of our own begin with frugal_, and stock ones that we keep with frugal_stock_.
  def test_drop_ins_send_no_upstream_method_by_name
    sent = each_file.select { |file, _| file.match?(/\A(dropin|autorun)/) }.flat_map do |file, source|
      source.scan(/\b(?:__send__|public_send|send)\(\s*([^,)]+)/).flatten.map { |name| [file, name] }
    end
    unknown = sent.uniq.reject { |file, name| name.start_with?(":frugal_") || SENT.key?([file, name]) }
    assert_empty unknown, "keep the UnboundMethod and use bind_call, or say in SENT who is to be called"
    assert_empty SENT.keys - sent, "these entries of SENT are not needed any more"
  end

  # An interrupt (Thread#raise, Timeout, a trap) may be any StandardError: it is not to be taken for a failure
  # of ours, and not to leave a patch half done.
  def test_an_installation_that_rescues_defers_interrupts
    installs = /\b(?:install\w*|arrived|enable|fetch_dropin)\b(?!:)|Replace\.methods?|\bdefine_method\b|alias_method/
    rescues = /^\s*rescue(?:\s*$|\s+=>|.*\b(?:StandardError|ScriptError|Exception)\b)/
    found = each_file.select { |file, _| file.match?(%r{\A(dropin[/.]|autorun)}) }.flat_map do |file, source|
      definitions(source).select { |_, code| code.match?(installs) && code.match?(rescues) && !code.include?("handle_interrupt") }
                         .map { |name, _| "#{file}: #{name}" }
    end
    assert_empty found, "wrap it into Thread.handle_interrupt"
  end

  # Every Ruby that a program starts parses this file, before it can leave: what is modern has to be in another one.
  def test_autorun_is_parsed_by_ruby_2_7
    source = File.read(File.join(LIB_FRUGAL, "autorun.rb"))
    assert_empty modern(Ripper.sexp(source)), "Ruby 2.7 cannot parse that in lib/frugal/autorun.rb"
  end

  def test_what_is_modern_is_seen
    { "def a = 1" => "an endless method", "def self.a = 1" => "an endless method", "case 1; in Integer then 2; end" => "pattern matching",
      "f(x:)" => "a value that is left out", "{ x: }" => "a value that is left out", "def a(&) = b(&)" => "an argument without a name",
      "def a(*); b(*); end" => "an argument without a name", "def a(...); b(...); end" => "(...)", "{ a: 1 } => { a: }" => "pattern matching",
      "[1].each { p it }" => "it" }.each do |code, word|
      sexp = Ripper.sexp(code) or next # of a later Ruby than this one
      assert_includes modern(sexp), word, code
    end
    assert_empty modern(Ripper.sexp(<<~'RUBY'))
      # frozen_string_literal: true
      if RUBY_VERSION.to_f >= 3.1
        def a(b, *c, d: 1, **e, &f) b(*c, **e, &f) { |x| { x: x } } rescue nil end
        def b; 1; rescue StandardError => e; e&.message; else 2; ensure 3; end
        def c() end
        [1].each do |x| x end
      end
    RUBY
  end

  private

  # @return [Array<Array(String, String)>] path below lib/frugal, and text
  def each_file
    @each_file ||= Dir.glob("**/*.rb", base: LIB_FRUGAL).sort.map { |file| [file, File.read(File.join(LIB_FRUGAL, file), encoding: "UTF-8")] }
  end

  # @return [Array<String>] "file:line text" where the block says that it is wrong; comments are left out
  def matches(pattern)
    each_file.flat_map do |file, source|
      source.each_line.with_index(1).filter_map do |line, number|
        code = line.sub(/(?:\A|\s)#(?!\{).*/, "")
        "#{file}:#{number} #{line.strip}" if code.scan(pattern).any? { |found| yield file, found }
      end
    end
  end

  def definitions(source)
    source.scan(/^( *)def ([\w.?!=\[\]]+)(.*?)^\1end$/m).map { |_, name, code| [name, code] }
  end

  def ours_or_loaded?(file, root, top)
    return true if CORE.include?(root) || root == "Frugal" || (!top && own.include?(root))
    return true if UPSTREAMS.any? { |files, names| files.match?(file) && names.include?(root) }

    feature = REQUIRED[root]
    folder = File.dirname(file).split("/").first
    !feature.nil? && each_file.any? do |other, source|
      source.match?(/^\s*require "#{feature}/) && File.dirname(other).start_with?(folder)
    end
  end

  # All constants that are set somewhere in lib/, and those that C sets.
  def own
    @own ||= each_file.flat_map do |_, source|
      source.scan(/\b(?:module|class) ([A-Z][\w:]*)|((?:[A-Z]\w*, )*[A-Z]\w*) (?:\|\|)?= /).flatten.compact.flat_map { |names| names.scan(/[A-Z]\w*/) }
    end.uniq + %w[C GET MEMBERS]
  end

  # @return [Array<Array(String, Integer, Boolean)>] the first name of each constant, its line, whether :: stands before it
  def references(node)
    return [] unless node.is_a?(Array)
    return [[node[1][1], node[1][2].first, true]] if node[0] == :top_const_ref
    return node[1][0] == :@const ? [[node[1][1], node[1][2].first, false]] : [] if node[0] == :var_ref

    node.flat_map { |child| references(child) }
  end

  # @return [Array<String>] what of it Ruby 2.7 does not know
  def modern(node)
    return [] unless node.is_a?(Array)

    own = [word(node)].compact
    own + node.flat_map { |child| modern(child) }
  end

  def word(node)
    case node
    in [:def, _, _, [:bodystmt, [Symbol, *], *]] | [:defs, _, _, _, _, [:bodystmt, [Symbol, *], *]] then "an endless method"
    in [:in, *] | [:hshptn, *] | [:aryptn, *] | [:fndptn, *] then "pattern matching"
    in [:assoc_new, [:@label, *], nil] then "a value that is left out"
    in [:args_forward, *] then "(...)"
    in [:args_add_block, _, nil] | [:args_add_star, _, nil, *] | [:assoc_splat, nil] | [:blockarg, nil] then "an argument without a name"
    in [:vcall, [:@ident, "it", _]] then "it"
    else nil
    end
  end
end
