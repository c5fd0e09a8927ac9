# frozen_string_literal: true

module SinatraFuzz
  # An error for which some applications have a block.
  class Expected < StandardError; end

  # An error of Sinatra with a status.
  class Teapot < Sinatra::Error
    def http_status = 418
  end

  # An error with a code, which Sinatra uses if use_code is set.
  class Coded < Sinatra::Error
    def code = 503
  end

  # An exception that is not a StandardError.
  class Grave < Exception; end # rubocop:disable Lint/InheritException -- see above

  # Random blocks for routes, filters and errors. Each records that it was called, and with which params.
  module Handlers
    COMMON = {
      text: ->(*) { "text" }, number: ->(*) { 201 }, nothing: ->(*) {}, array: ->(*) { [202, { "x-made" => "1" }, "made"] },
      halt: ->(*) { halt 403, "halted" }, halt_empty: ->(*) { halt 404 }, halt_headers: ->(*) { halt 410, { "x-gone" => "1" }, ["gone"] },
      raise_expected: ->(*) { raise Expected, "expected\nand more" }, raise_plain: ->(*) { raise Expected }, raise_teapot: ->(*) { raise Teapot, "<b>" },
      raise_coded: ->(*) { raise Coded }, raise_missing: ->(*) { raise Sinatra::NotFound, "gone <b>" }, raise_grave: ->(*) { raise Grave, "grave" },
      raise_signal: ->(*) { raise Expected, "signal", [] }, no_method: ->(*) { undefined_helper(1) }, no_name: ->(*) { undefined_name }, nil_method: ->(*) { nil.undefined },
      raise_deep: ->(*) { Handlers.deeper(30) { raise KeyError, "deep" } }, raise_with_cause: ->(*) { Handlers.wrapped },
      throw: ->(*) { throw :nobody, 1 }, throw_halt: ->(*) { throw :halt, [:symbol, 1] }, throw_in_rescue: ->(*) { Handlers.rescued { throw :halt, [404, "in rescue"] } },
      pass_in_rescue: ->(*) { Handlers.rescued { throw :pass } }, halt_in_ensure: ->(*) { Handlers.ensured(self) },
      type: ->(*) { content_type(:json) && "{}" }, error_helper: ->(*) { error 418, "tea" }, not_found: ->(*) { not_found },
      status: ->(*) { status(404) && nil }, redirect: ->(*) { redirect "/b" }, param: ->(*) { params["new"] = "1" }, lose: ->(*) { params.delete("id") && "lost" },
      unhandled: ->(*) { respond_to?(:unhandled) ? unhandled : "none" }, arguments: ->(*args) { args.inspect }, seen: ->(*) { env["sinatra.error"]&.class.to_s },
      bang: ->(*) { headers "content-type" => "x/y" }, forward: ->(*) { forward }
    }.freeze
    ROUTES = {
      pass: ->(*) { pass }, pass_block: ->(*) { pass { "passed on" } }, typed_pass: ->(*) { content_type(:json) && pass },
      rewrite: ->(*) { (request.path_info = "/b") && pass }, mutate: ->(*) { request.path_info << "/7" << "" && pass }, shorten: ->(*) { request.path_info.replace("/users/7") && pass },
      other_verb: ->(*) { (env["REQUEST_METHOD"] = "POST") && pass }, nested: ->(*) { env["nested"] ? "inmost" : call(env.merge("PATH_INFO" => "/x.y", "nested" => "1"))[2] }, add: ->(*) { settings.get("/b") { "added" } && pass },
      remove: ->(*) { settings.routes["GET"]&.pop && pass }, clear: ->(*) { settings.routes["GET"]&.clear && pass },
      watched: ->(*) { extend(Handlers::Watched) && pass }, new_request: ->(*) { (self.request = Sinatra::Request.new(env.merge("PATH_INFO" => "/a"))) && pass }
    }.freeze
    ERRORS = {
      again: ->(*) { raise env["sinatra.error"] || Expected }, another: ->(*) { raise KeyError, "in an error block" }, pass: ->(*) { pass },
      class_and_frames: ->(error = nil) { "#{error.class}: #{error&.backtrace&.grep(/handlers\.rb/)&.size}" }, params: ->(*) { params.to_a.inspect }
    }.freeze

    # Overrides process_route of an instance during a request.
    module Watched
      def process_route(pattern, *)
        env["watched"] = env["watched"].to_s + pattern.to_s
        super
      end
    end

    class << self
      def make(random, journal, name, filter: false, error: false)
        known = { **COMMON, **(error ? ERRORS : ROUTES) }
        quiet = filter ? 0.7 : 0.15
        usual = filter ? :nothing : :text
        action = random.rand < quiet ? COMMON[usual] : known.values[random.rand(known.size)]
        arity = random.rand(3)
        run = lambda do |application, *args|
          journal << [name, application.params.to_a, args.map { |one| Exception === one ? one.class : one }, application.response["content-type"], application.env["sinatra.route"]]
          application.instance_exec(*args, &action)
        end
        return proc { run.call(self) } if arity.zero?

        arity == 1 ? proc { |*args| run.call(self, *args) } : proc { |one, two = nil| run.call(self, one, two) }
      end

      def deeper(depth, &block) = depth.zero? ? block.call : deeper(depth - 1, &block)

      def wrapped
        raise Expected, "first"
      rescue Expected
        raise KeyError, "second"
      end

      def rescued
        raise Expected, "rescued"
      rescue Expected
        yield
      end

      def ensured(application)
        raise Expected, "overtaken"
      ensure
        application.halt(409, "in ensure")
      end
    end
  end
end
