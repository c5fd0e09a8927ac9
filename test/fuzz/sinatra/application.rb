# frozen_string_literal: true

require_relative "handlers"
require_relative "paths"

module SinatraFuzz
  # A random Sinatra application: up to three classes that inherit from each other,
  # with routes, filters, error blocks, settings and unusual overrides.
  # The same random numbers make the same application on both sides.
  class Application
    VERBS = %i[get get get get get get get post post put delete head options patch].freeze
    STATUSES = [400, 404, 500, 503, 418].freeze

    # @return [Array<Class>] of which the last one is served
    attr_reader :classes

    def initialize(random, journal, folder)
      @random = random
      @journal = journal
      @folder = folder
      @paths = Paths.new(random)
      @serial = 0
      @classes = Array.new(random.rand(1..3)).each_with_object([]) { |_, made| made << make(made.last) }
    end

    # Changes the routes between two requests.
    def change_routes
      routes = pick(@classes).routes[pick(%w[GET GET GET HEAD POST])]
      return if routes.nil? || routes.empty? || routes.frozen?

      case pick(%i[delete swap swap twice pattern pattern path block freeze] - (chance(0.9) ? [:freeze] : []))
      when :delete then routes.delete_at(@random.rand(routes.size))
      when :swap then routes.rotate!
      when :twice then routes << routes.first
      when :pattern then routes[@random.rand(routes.size)][0] = Mustermann.new(@paths.literal)
      when :path then made(pick(@classes), @paths.literal)
      when :block then routes[@random.rand(routes.size)] = routes.first.dup
      when :freeze then routes.freeze
      end
    end

    # @return [String] one that may match a route
    def path = @paths.request

    private

    def make(above)
      fuzz = self
      classic = above.nil? && chance(0.05)
      made = classic ? Sinatra::Application.tap(&:reset!) : Class.new(above || Sinatra::Base)
      made.class_eval do
        set :environment, :production
        set :host_authorization, {} if respond_to?(:host_authorization)
        set :run, false
        fuzz.send(:settings, self)
        fuzz.send(:parts).each { |part| fuzz.send(part, self) }
      end
      made
    end

    def made(application, path)
      application.get(path) { "late" }
    rescue FrozenError
      nil
    end

    def settings(made)
      made.set :show_exceptions, pick([false] * 8 + [:after_handler])
      made.set :raise_errors, chance(0.05)
      made.set :dump_errors, chance(0.9)
      made.set :protection, chance(0.1)
      made.set :strict_paths, false if chance(0.3)
      made.set :empty_path_info, true if chance(0.1)
      made.set :x_cascade, false if chance(0.2)
      made.set :use_code, true if chance(0.2)
      made.set :method_override, true if chance(0.2)
      made.set :default_content_type, pick([nil, "text/plain"]) if chance(0.1)
      made.set :mustermann_opts, uri_decode: false if chance(0.05)
      made.set :static_cache_control, [:public] if chance(0.1)
      chance(0.3) ? made.set(:public_folder, @folder) : made.set(:public_folder, nil)
    end

    def parts
      parts = [:route] * @random.rand(0..pick([6, 12, 30])) + [:filter] * @random.rand(0..3) + [:error] * @random.rand(0..3)
      parts << :override if chance(0.25)
      parts << :middleware if chance(0.1)
      parts.shuffle(random: @random)
    end

    def route(made)
      verb = pick(VERBS)
      path = @paths.pattern
      options = chance(0.25) ? conditions(made) : {}
      options[:mustermann_opts] = pick([{ except: "/a/b" }, { capture: { id: /\d+/ } }, { uri_decode: false }, { greedy: false }]) if String === path && chance(0.1)
      made.send(verb, path, **options, &handler("#{verb} #{path.inspect}"))
    rescue Mustermann::Error, RegexpError
      nil
    end

    def conditions(made)
      journal = @journal
      case pick(%i[provides agent host condition raising])
      when :provides then { provides: pick([:html, :json, %i[txt json]]) }
      when :agent then { agent: /fuzz (\d)/ }
      when :host then { host_name: pick(["one.test", /test/]) }
      when :condition
        answer = pick([true, false, nil])
        made.condition { journal << [:condition, answer] && answer }
        {}
      else
        made.condition { params["q"] == "raise" ? raise(KeyError, "in a condition") : true }
        {}
      end
    end

    def filter(made)
      kind = pick(%i[before before after])
      arguments = chance(0.4) ? [@paths.pattern] : []
      made.send(kind, *arguments, &handler("#{kind} #{arguments.inspect}", filter: true))
    rescue Mustermann::Error, RegexpError
      nil
    end

    def error(made)
      key = pick([*STATUSES, 400..404, Expected, Teapot, StandardError, Exception, Sinatra::NotFound, NoMethodError, KeyError, nil])
      made.error(*key, &handler("error #{key}", error: true))
    end

    # Overrides a method that has a part in routing, or observes it.
    def override(made)
      journal = @journal
      case pick(%i[process_route prepended missing extension helpers verbose])
      when :process_route
        made.class_eval { define_method(:process_route) { |*args, &block| journal << [:asked, args.first.to_s] && super(*args, &block) } }
      when :prepended
        made.prepend(Module.new { define_method(:process_route) { |*args, &block| journal << [:before, args.first.to_s] && super(*args, &block) } })
      when :missing then made.class_eval { define_method(:route_missing) { journal << [:missing] && super() } }
      when :extension then made.register(Module.new { define_method(:route_added) { |*args| journal << [:added, *args.first(2).map(&:to_s)] } })
      when :helpers then made.helpers { define_method(:unhandled) { raise Expected, "from a helper" } }
      else made.class_eval { define_method(:dump_errors!) { |boom| journal << [:dumped, boom.class] && super(boom) } }
      end
    end

    def middleware(made)
      journal = @journal
      made.use(Class.new(Sinatra::Base) do
        set :environment, :production
        get("/a") { journal << [:middleware] && "in front" }
        get("/b") { raise Expected, "in front" }
      end)
    end

    def handler(name, **kind) = Handlers.make(@random, @journal, "#{name} ##{@serial += 1}", **kind)

    def pick(list) = list[@random.rand(list.size)]

    def chance(share) = @random.rand < share
  end
end
