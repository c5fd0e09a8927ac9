# frozen_string_literal: true

require_relative "error"
require_relative "native"
require_relative "dropin/catalogue"
require_relative "dropin/own_failure"
require_relative "dropin/switch"

module Frugal
  # The registry of drop-ins, and the methods that enable them. A drop-in is a file
  # `frugal/dropin/<name>.rb`, which is loaded only when it is about to be installed. It
  # defines a module with two methods: `guard` returns nil or the reason why the drop-in
  # stands aside, and `install` patches upstream.
  #
  #   Frugal::Dropin.enable(:rake)   # => :waiting
  #   require "rake"
  #   Frugal::Dropin.status          # => [#<struct … name=:rake, state=:on, …>]
  module Dropin
    # The state of one drop-in: `:on`, `:waiting` (for upstream to be loaded), `:off` or
    # `:aside`. `reason` is why it is not on; `version` is the version of upstream.
    Status = Struct.new(:name, :state, :reason, :version, keyword_init: true)

    NOT_ENABLED = "nothing enabled it"
    private_constant :NOT_ENABLED

    @states = {}
    @installing = {}

    class << self
      # Installs a drop-in now, or as soon as its upstream is loaded.
      #
      # *Cost*: the system calls that load the drop-in's own files.
      #
      # @param name [Symbol, String]
      # @return [Symbol] `:on`, `:waiting`, `:off` or `:aside`
      # @raise [UsageError] for an unknown name
      def enable(name)
        entry = entry(name)
        state = @states[entry.name]&.state
        return state if %i[on off aside].include?(state)

        reason = Switch.off(entry.name)
        return settle(entry, :off, reason) if reason
        return install(entry) if entry.ready?

        wait(entry)
      end

      # Loads Autorun, which notices that a library is loaded. Not for programs.
      #
      # @return [Boolean] whether this Ruby reports what is loaded
      def load_autorun
        Loader.need("#{__dir__}/autorun/#{Platform::RUBY}.rb") unless defined?(Frugal::Autorun)
        defined?(Frugal::Autorun) ? true : false
      end

      # *Cost*: no system call.
      #
      # @return [Array<Status>] one for each drop-in, in the catalogue's order
      def status
        CATALOGUE.each_value.map { |entry| @states[entry.name] || initial_status(entry) }
      end

      private

      def initial_status(entry)
        reason = Switch.off(entry.name)
        waits = reason.nil? && defined?(Frugal::Autorun) && Autorun.waiting?(entry.name)
        Status.new(name: entry.name, state: waits ? :waiting : :off, version: entry.version,
                   reason: waits ? nil : reason || NOT_ENABLED)
      end

      def entry(name)
        CATALOGUE.fetch(name.to_sym) do
          raise UsageError, "no drop-in is called #{name}; there is #{CATALOGUE.keys.join(", ")}"
        end
      end

      # Another thread, or a file that the drop-in loads, may call this method again before it ends; the second
      # call returns :waiting. An exception from another thread, such as a timeout, belongs to the program and is
      # deferred until the drop-in is installed.
      def install(entry)
        @states[entry.name] = Status.new(name: entry.name, state: :waiting, version: entry.version)
        return :waiting if @installing[entry.name]

        @installing[entry.name] = true
        load_and_patch(entry)
        @states[entry.name].state
      ensure
        @installing.delete(entry.name)
      end

      # Installs the drop-in completely or not at all. Lets an exception of a signal handler
      # continue, except for the classes that Ruby itself raises.
      def load_and_patch(entry)
        Thread.handle_interrupt(Object => :never) do
          drop_in = entry.load
          reason = foreign_reason(entry) || entry.unknown_version || drop_in.guard
          patch(drop_in) unless reason
          settle(entry, reason ? :aside : :on, reason)
        rescue StandardError, ScriptError => e
          # A method of Ruby that the program has redefined may also have failed inside our code.
          raise unless OwnFailure.in_frugal?(e) || OwnFailure.known_class?(e)

          settle(entry, :aside, "#{e.message} (#{e.class})")
        end
      end

      # A drop-in that replaces methods of upstream has loaded Replace. Dir's drop-in has not, because it does not
      # need it.
      def patch(drop_in)
        return drop_in.install unless defined?(Frugal::Dropin::Replace)

        Replace.all_or_none { drop_in.install }
      end

      def foreign_reason(entry)
        file = entry.foreign_file
        "#{file} does not belong to the gem #{entry.gem}" if file
      end

      def wait(entry)
        if entry.switch
          @states[entry.name] = Status.new(name: entry.name, state: :waiting,
                                           reason: "needs require \"#{entry.switch}\"")
          return :waiting
        end

        watched = load_autorun
        reason = watched ? nil : "this Ruby cannot detect when it is loaded: load #{entry.feature} first"
        @states[entry.name] = Status.new(name: entry.name, state: :waiting, reason: reason)
        Autorun.watch(entry.name) if watched
        @states[entry.name].state
      end

      def settle(entry, state, reason = nil)
        @states[entry.name] = Status.new(name: entry.name, state: state, reason: reason,
                                         version: entry.version)
        Autorun.settled(entry.name) if defined?(Frugal::Autorun)
        report(@states[entry.name]) if ENV["FRUGAL_VERBOSE"] == "1"
        state
      end

      def report(status)
        verdict = { on: "on (#{Native.engine_name})", off: "off: #{status.reason}",
                    aside: "stands aside: #{status.reason}" }.fetch(status.state)
        $stderr.puts "frugal: #{[status.name, status.version].compact.join(" ")}: #{verdict}"
      rescue SystemCallError, IOError
        nil # the program has closed stderr
      end
    end
  end
end
