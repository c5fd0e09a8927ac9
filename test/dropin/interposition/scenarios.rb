# frozen_string_literal: true

# A program for each upstream, which calls every replaced method directly or through
# upstream, and records the results. A scenario runs in a new directory with a few files,
# in its own forked process.
module Scenarios
  FILES = { "lib/a.rb" => "a", "lib/deep/b.rb" => "b", "lib/deep/c.c" => "c", "top.txt" => "t" }.freeze
  # The arguments for a direct call of a method.
  ARGUMENTS = {
    glob: ["**/*"], "[]": ["**/*.rb"], find: ["lib"], mkdir_p: ["one/two"], mkpath: ["one/two"], makedirs: ["one/two"],
    remove_entry: ["lib/deep"], remove_file: ["top.txt", true], copy_entry: %w[lib copy], ext: ["o"], pathmap: ["%n.o"]
  }.freeze
  # Upstream's features, and the feature that enables the drop-in.
  GROUPS = {
    dir: [[], "frugal/dir"], find: [%w[find], "frugal/find"], fileutils: [%w[fileutils], "frugal/fileutils"],
    pstore: [%w[pstore yaml/store], "frugal/pstore"], rake: [%w[rake], "frugal/rake"],
    active_support: [%w[logger active_support active_support/cache/file_store], "frugal/active_support"],
    file_update_checker: [%w[logger active_support active_support/file_update_checker], "frugal/file_update_checker"],
    sprockets: [%w[logger sprockets sprockets/cache/file_store], "frugal/sprockets"],
    sinatra: [%w[sinatra/base], "frugal/sinatra"],
    rails: [%w[logger rails action_controller/railtie rack/mock], "frugal/rails"]
  }.freeze

  class << self
    # Creates the files in the current directory.
    def create_files
      FILES.each do |file, content|
        File.dirname(file).split("/").inject(".") do |above, part|
          "#{above}/#{part}".tap { |path| Dir.exist?(path) || Dir.mkdir(path) }
        end
        File.write(file, content)
      end
    end

    # Done once before the cases, because an application takes long to boot.
    def prepare(group)
      rails_application if group == :rails
    end

    # @return [Array<String>] the results: values and errors
    def run(group)
      @seen = []
      send(group)
      see { Dir.children(".").sort }
      @seen
    end

    private

    def see
      @seen << yield.inspect
    rescue StandardError, ScriptError, SystemStackError => e
      @seen << "#{e.class}: #{e.message.lines.first}"
    end

    def dir
      see { Dir.glob("**/*") }
      see { Dir.glob("lib/*") }
      see { [].tap { |paths| Dir.glob("**/*.rb") { |path| paths << path } } }
      see { Dir["**/*.{rb,c}", "top*"] }
      see { Dir.glob("**/*", base: "lib", sort: true) }
      see { Class.new(Dir).glob("lib/**/*") }
      see { Class.new(Dir) { def self.glob(*patterns, **options) = super.reverse }.glob("**/*.rb") }
      see { Class.new(Dir) { def self.[](*) = super.reverse }["**/*.rb"] }
      see { Dir.glob("**/*\0") }
    end

    def find
      see { Find.find(".").sort }
      see do
        [].tap do |paths|
          Find.find("lib", "top.txt") { |path| File.basename(path) == "deep" ? Find.prune : paths << path }
        end
      end
      see { Object.new.extend(Find).__send__(:find, "lib").to_a }
      see { Find.find("missing").to_a }
    end

    def fileutils
      see { FileUtils.mkdir_p("a/b/c") }
      see { FileUtils.mkpath(%w[a/d e/f], mode: 0o700) }
      see { FileUtils.makedirs("lib") }
      see { FileUtils.cp_r("lib", "copy") }
      see { FileUtils.copy_entry("lib/deep", "copy2") }
      see { FileUtils.rm_f(%w[top.txt missing]) }
      see { FileUtils.remove_file("missing", true) }
      see { FileUtils.rm_rf("a") }
      see { FileUtils.rm_r("missing") }
      see { FileUtils.remove_entry("copy2") }
      see { Object.new.extend(FileUtils).__send__(:mkdir_p, "by/mixin") }
      see { Dir.glob("{a,by,copy,copy2,e}/**/*").sort }
    end

    def pstore
      store = PStore.new("store")
      see { store.transaction { store[:a] = [1, "two"] } }
      see { store.transaction(true) { store[:a] } }
      see { store.transaction(true) { store[:b] = 1 } }
      see { store.transaction { store.delete(:a) && store.abort } }
      yaml = YAML::Store.new("yaml")
      see { yaml.transaction { yaml["k"] = "v" } }
      see { yaml.transaction(true) { yaml["k"] } }
      see { PStore.new("store").transaction { |one| one.roots } }
    end

    def rake
      see { ["a/b.c".ext("o"), "a/b.c".pathmap("%{a,x}d/%n%x"), "a".pathmap("%{a,*}p") { |name| name * 2 }] }
      see { Rake::FileList["lib/**/*.rb", "top.txt"].exclude("lib/a.rb").to_a }
      see { Rake::FileList["**/*.rb"].ext("o").to_a }
      done = []
      see do
        Rake::FileTask.define_task("out.o" => %w[lib/a.rb top.txt]) do |task|
          done << task.name && File.write(task.name, "o")
        end
      end
      see { Rake::Task.define_task(all: "out.o") { |task| done << task.prerequisites } }
      see { Rake.application.last_description = nil }
      see { Rake::Task["all"].invoke.nil? }
      see { Rake::Task["out.o"].enhance(["lib/deep"]).needed? }
      see { Rake::FileTask.define_task("missing.o" => "nowhere") && Rake::Task["missing.o"].invoke }
      see { Rake::Task["out.o"].timestamp.class }
      see { Rake::Task["all"].prerequisite_tasks.map(&:name) }
      see { done }
    end

    def active_support
      store = ActiveSupport::Cache::FileStore.new("cache")
      see { store.write("a", [1, 2]) }
      see { [store.read("a"), store.read("b"), store.exist?("a"), store.fetch("c") { 3 }, store.read_multi("a", "c")] }
      see { [store.increment("n"), store.increment("n"), store.delete("a"), store.read("a")] }
    end

    def file_update_checker
      done = []
      change = ->(file, second) { File.write(file, "") && File.utime(0, second, file) } # errors show the checker's times
      checker = nil
      see { %w[watched watched/deep].each { |folder| Dir.mkdir(folder) } }
      see { %w[watched/a.rb watched/deep/b top].each { |file| change.call(file, 1_000) } }
      see do
        checker = ActiveSupport::FileUpdateChecker.new(%w[top none], "watched" => [:rb], "watched/deep" => []) { done << 1 }
        checker.class
      end
      see { Array.new(3) { checker.updated? } }
      see { change.call("none", 2_000) && [checker.updated?, checker.execute_if_updated, checker.updated?, done] }
      see { File.utime(0, 0, "none") && [checker.updated?, done] }
      see { change.call("watched/deep/d", 3_000) && [checker.updated?, checker.updated?, checker.execute, checker.updated?, done] }
      see { File.unlink("watched/deep/d") && [checker.execute_if_updated { done << 2 }, checker.updated?, done] }
      see { checker.instance_variables }
    end

    def sprockets
      utils = Sprockets::PathUtils
      see { [utils.stat("lib/a.rb")&.size, utils.stat("missing"), utils.file?("top.txt"), utils.directory?("lib")] }
      see { [utils.entries("lib"), utils.entries("missing")] }
      cache = Sprockets::Cache::FileStore.new("cache", 1024, Logger.new(nil))
      see { [cache.set("k", "v"), cache.get("k"), cache.get("no")] }
    end

    def rails_application
      @log = log = StringIO.new
      controller = Class.new(ActionController::Base) do
        rescue_from(KeyError) { |error| render plain: "sorry: #{error.message}", status: 409 }
        define_method(:page) { render plain: "page" }
        define_method(:boom) { raise ArgumentError, "boom" }
        define_method(:sorry) { raise KeyError, "none" }
        define_method(:nested) do
          raise ArgumentError, "inner"
        rescue ArgumentError
          raise "outer"
        end
        define_method(:absent) { raise ActionController::RoutingError, "absent" }
      end
      Object.const_set(:PagesController, controller)
      Object.const_set(:App, Class.new(Rails::Application) do
        config.load_defaults 7.0
        config.root = Dir.pwd
        config.eager_load = false
        config.secret_key_base = "x" * 64
        config.consider_all_requests_local = false
        config.logger = Logger.new(log)
        config.hosts.clear
        config.frugal.trace_every = 1 if config.respond_to?(:frugal) # otherwise not every error gets a trace
        routes.append { %w[page boom sorry nested absent].each { |name| get name, to: "pages##{name}" } }
      end)
      App.initialize!
    end

    def rails
      seen = []
      see do
        ActiveSupport::Notifications.subscribe("process_action.action_controller") do |*, payload|
          seen << payload.values_at(:status, :exception)
        end.class
      end
      paths = %w[/page /boom /sorry /nested /absent /no/where /favicon.ico /boom]
      paths.product(%w[text/html application/json nonsense/]) do |path, accept|
        see do
          response = Rack::MockRequest.new(App).get(path, "HTTP_ACCEPT" => accept)
          [response.status, response.headers.slice("content-type", "content-length", "x-cascade"), response.body]
        end
      end
      see { Rack::MockRequest.new(App).request("HEAD", "/boom").status }
      see do
        Rack::MockRequest.new(App).get("/boom", "action_dispatch.show_exceptions" => :none,
                                                "action_dispatch.show_detailed_exceptions" => true).status
      end
      see { seen }
      see { @log.string.scan(/FATAL.*?: (\S.*)$/).flatten.first(3) }
    end

    def sinatra
      app = Class.new(Sinatra::Base) do
        set :environment, :production
        set :host_authorization, {}
        get("/") { "root" }
        get("/a/:x") { params["x"] }
        get("/b") { raise KeyError, "no" }
        get("/c") { pass }
        get("/d") { halt 403, "halted" }
        error(KeyError) { |error| "sorry: #{error.message}" }
      end
      %w[/ /a/1 /b /c /d /e].each do |path|
        see do
          env = { "REQUEST_METHOD" => "GET", "PATH_INFO" => path, "QUERY_STRING" => "", "rack.input" => StringIO.new,
                  "rack.errors" => StringIO.new, "SERVER_NAME" => "localhost", "SERVER_PORT" => "80",
                  "rack.url_scheme" => "http" }
          status, _, body = app.call(env)
          [status, body.to_enum.to_a.join[0, 40]]
        end
      end
    end
  end
end
