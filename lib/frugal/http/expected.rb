# frozen_string_literal: true

require_relative "../http"

module Frugal
  module HTTP
    # The expected errors, each with the status of its response. Can be used in a +rescue+ clause: an unexpected error
    # is then not rescued at all, so nothing renders its backtrace.
    #
    #   expected = Expected.new("KeyError" => 404, IOError => :service_unavailable)
    #   begin
    #     {}.fetch(:a)
    #   rescue expected => e
    #     expected.status(e)   # => 404
    #   end
    #
    # A class includes its subclasses: the status of the nearest ancestor is used, and nil means that a class is not
    # expected. "Exception" does not include the errors that end a process (SystemExit, signals such as Interrupt,
    # NoMemoryError), which are expected only if they are named themselves. It includes SystemStackError, which ends
    # only a request.
    class Expected < Module
      # The number of classes whose status is cached. Anonymous classes are not cached, so they can be collected.
      LIMIT = 256
      # The errors that end a process. The search for a status does not continue to their ancestors.
      ENDING = [SystemExit, SignalException, NoMemoryError].freeze
      private_constant :ENDING

      # @param statuses [Hash{String, Symbol, Module => Integer, Symbol, nil}] the keys are names of classes, which
      #   need not be loaded, or the classes themselves
      # @raise [ArgumentError] for a status outside 400 to 599, or a key of another type
      def initialize(statuses)
        super()
        @statuses = statuses.to_h { |kind, status| [key(kind), status && Statuses.code(status)] }.freeze
        @cached = {}.compare_by_identity.freeze
      end

      # @param error [Exception]
      # @return [Integer, false] false for an unexpected error
      # *Cost*: no object, for a class that is cached
      def status(error)
        status = @cached[error.class]
        status.nil? ? look_up(error.class) : status
      end
      alias === status

      # @return [Integer] the number of cached classes
      def size = @cached.size

      def inspect = "#<#{self.class} #{@statuses}>"

      private

      # The cache is frozen and replaced, so threads need no lock.
      #
      # @return [Integer, false]
      def look_up(kind)
        status = search(kind) || false
        @cached = @cached.merge(kind => status).freeze if @cached.size < LIMIT && name_of(kind) && Platform.main_ractor?
        status
      end

      def search(kind)
        kind.ancestors.each do |ancestor|
          return @statuses[ancestor] if @statuses.key?(ancestor)

          name = name_of(ancestor)
          return @statuses[name] if name && @statuses.key?(name)
          return if ENDING.include?(ancestor)
        end
        nil
      end

      # A class may override `name`.
      def name_of(kind) = Module.instance_method(:name).bind_call(kind)

      def key(kind)
        case kind
        when Module then kind
        when String, Symbol then kind.to_s.delete_prefix("::").freeze
        else raise ArgumentError, "rescue_responses: a key must be an exception class or its name (got #{kind.inspect})"
        end
      end
    end
  end
end
