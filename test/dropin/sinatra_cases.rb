# frozen_string_literal: true

# Named applications that a drop-in may get wrong: some were found by the fuzzer, others are too rare for it.
# Each returns what it has observed; with stock it returns the expected values.
class SinatraCases
  ALL = {
    "a percent-encoded character" => <<~'RUBY', "a line feed at the end" => <<~'RUBY', "the last route's content type stays" => <<~'RUBY',
      a = app { get("/users/:id") { "user #{params[:id]}" } }; many(a)
      [get(a, "/%75sers/%37"), get(a, "/USERS/7"), get(a, "/users%2F7")]
    RUBY
      a = app { get("/users") { "users" } }; many(a)
      [get(a, "/users\n"), get(a, "/users\n/"), get(a, "/users/\n")]
    RUBY
      a = app { before { response["x-kept"] = "1" } }; many(a); a.get("/*") { content_type(:json) && pass }
      b = app(a) { get("/b") { "b" } }
      [get(a, "/b"), a.call(env("/a"))[1].to_a, get(b, "/b/c")]
    RUBY
    "the content type of an earlier route does not stay" => <<~'RUBY',
      a = app { get("/*") { content_type(:json) && pass } }; many(a)
      [get(a, "/nobody"), get(a, "/things3/1")]
    RUBY
    "an instance overrides process_route during a request" => <<~'RUBY', "a path is rewritten before pass" => <<~'RUBY',
      watch = Module.new { def process_route(pattern, *) = (env["seen"] = [*env["seen"], pattern.to_s]) && super }
      a = app { get("/*") { extend(watch) && pass } }; many(a)
      request = env("/things3/1"); a.call(request); request["seen"].size
    RUBY
      a = app { get("/old/*") { (request.path_info = "/things7/1") && pass }; get("/edit/:x") { request.path_info.replace("/things8/1") && pass } }; many(a)
      [get(a, "/old/x"), get(a, +"/edit/x"), get(a, "/things7/2")]
    RUBY
    "routes change in a request" => <<~'RUBY', "routes are replaced in place" => <<~'RUBY', "an error block raises the same error" => <<~'RUBY',
      a = app { get("/add/*") { settings.get("/add/late") { "late" } && pass }; get("/cut/*") { settings.routes["GET"].pop && pass } }; many(a); a.get("/cut/x") { "x" }
      [get(a, "/add/late"), get(a, "/cut/x"), get(a, "/cut/x"), get(a, "/add/late")]
    RUBY
      a = app {}; many(a); before = get(a, "/things3/1")
      a.routes["GET"][3][0] = Mustermann.new("/other"); a.routes["GET"][4] = a.routes["GET"][5].dup
      [before, get(a, "/things3/1"), get(a, "/other"), get(a, "/things4/1"), get(a, "/things5/1")]
    RUBY
      a = app { get("/key/:id") { raise KeyError, "no" }; error(KeyError) { |error| env["again"] ? "again #{params.to_a}" : (env["again"] = "1") && raise(error) } }
      request = env("/key/7")
      [(a.call(request) rescue $!.class), request["sinatra.error.params"].to_a]
    RUBY
    "an error block halts" => <<~'RUBY', "captures that raise" => <<~'RUBY', "an exception that is not a StandardError" => <<~'RUBY',
      a = app { get("/key/:id") { raise KeyError, "no" }; error(KeyError) { halt 402, params[:id] }; after { response["x-id"] = params[:id].inspect } }
      request = env("/key/7")
      answer = a.call(request); [answer[0], answer[1].to_a, request["sinatra.error.params"].to_a]
    RUBY
      a = app { get("/file/:id") { "file" }; error(StandardError) { |error| error.class.to_s } }; many(a)
      ["/file/\xff", "/file/%ff", "/file/é".encode("UTF-16LE"), "/\xff"].map { |path| get(a, path) rescue $!.class }
    RUBY
      a = app { get("/exit/:id") { raise SecurityError, "no" }; get("/stop/:id") { throw :nobody }; error(Exception) { |error| error.class.to_s } }
      %w[/exit/1 /stop/1].map { |path| request = env(path); [a.call(request)[2].to_a, request["sinatra.error.params"].to_a] }
    RUBY
    "a throw in a rescue" => <<~'RUBY', "routes of a superclass" => <<~'RUBY', "HEAD, OPTIONS and no verb at all" => <<~'RUBY',
      a = app { get("/in/:id") { begin; raise KeyError; rescue KeyError; halt(409, "in rescue"); end }; after { response["x-id"] = params[:id].inspect } }
      request = env("/in/7"); [a.call(request)[1].to_h.values_at("x-id", "X-Id"), request["sinatra.error.params"]]
    RUBY
      a = app { get("/both") { pass { "left" } }; get("/up") { "up" } }; many(a); b = app(a) { get("/both") { pass }; get("/:any") { pass } }; many(b)
      [get(b, "/both"), get(b, "/up"), get(b, "/none"), get(a, "/both")]
    RUBY
      a = app { options("/a") { "options" }; get("/a") { "a" } }; many(a)
      %w[HEAD OPTIONS POST BREW].map { |verb| get(a, "/a", REQUEST_METHOD: verb) }
    RUBY
    "an error whose exception method returns another error" => <<~'RUBY', "a circle of causes, and exceptions that end the process" => <<~'RUBY'
      other = Class.new(StandardError) { def message = "again" }; twin = Class.new(StandardError) { define_method(:exception) { |*words| words.empty? ? other.new : super(*words) } }
      wild = Class.new(StandardError) { def equal?(*) = raise("equal?") }
      a = app { get("/twin/:id") { raise twin, "first" }; get("/wild/:id") { raise wild, "wild" }; error(StandardError) { |error| "#{error.message} #{params[:id]}" } }
      [get(a, "/twin/7"), get(a, "/wild/7")]
    RUBY
      circle = Class.new(StandardError) { def cause = self }
      a = app { set :raise_errors, false; get("/circle/:id") { raise circle, "round" }; get("/exit") { exit 3 }; get("/int") { raise Interrupt, "int" } }
      many(a); request = env("/circle/7").merge("rack.errors" => StringIO.new)
      seen = 2.times.map { a.call(request).first } << request["rack.errors"].string.lines.grep(/round/).size
      seen + %w[/exit /int].map { |path| begin; get(a, path); rescue Exception => e; e.class; end }
    RUBY
  }.freeze

  # @return [String] a script that prints each case's name and what it observed
  def self.script = ALL.map { |name, code| "puts [#{name.inspect}, lambda { #{code} }.call].inspect.gsub(/0x\\h+/, '')\n" }.join
end
