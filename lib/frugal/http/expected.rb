# frozen_string_literal: true

require_relative "../http"

module Frugal
  module HTTP
    # Which errors are answers, and with which status: what a +rescue+ can be asked for.
    # An error that is none of them is not rescued at all, so nothing renders its trace.
    #
    #   expected = Expected.new("KeyError" => 404, IOError => :service_unavailable)
    #   begin
    #     {}.fetch(:a)
    #   rescue expected => e
    #     expected.status(e)   # => 404
    #   end
    #
    # A class counts for its subclasses; of several the nearest ancestor counts, and nil
    # makes an exception of one. "Exception" does not count for what ends a process
    # (SystemExit, signals such as Interrupt, NoMemoryError): those are expected only
    # where they are named themselves. A SystemStackError ends a request, so it counts.
    class Expected < Module
      # How many classes are remembered: named ones only, so that classes made at run time are not kept alive.
      LIMIT = 256
      # What ends a process. None of their ancestors stands for them.
      ENDING = [SystemExit, SignalException, NoMemoryError].freeze
      private_constant :ENDING

      # @param statuses [Hash{String, Symbol, Module => Integer, Symbol, nil}] names, so that
      #   what is not yet loaded, or not at all, can be named; or the classes themselves
      # @raise [ArgumentError] for a status that is not from 400 to 599, or what is no class
      def initialize(statuses)
        super()
        @statuses = statuses.to_h { |kind, status| [key(kind), status && Statuses.code(status)] }.freeze
        @known = {}.compare_by_identity.freeze
      end

      # @param error [Exception]
      # @return [Integer, false] what +rescue+ asks for: false for one that is not expected
      # *Cost*: no object, for a class that it has seen
      def status(error)
        status = @known[error.class]
        status.nil? ? learn(error.class) : status
      end
      alias === status

      # @return [Integer] classes that it remembers
      def size = @known.size

      def inspect = "#<#{self.class} #{@statuses}>"

      private

      # What is remembered is replaced as a whole, so that threads need no lock.
      #
      # @return [Integer, false]
      def learn(kind)
        status = search(kind) || false
        @known = @known.merge(kind => status).freeze if @known.size < LIMIT && name_of(kind) && MainRactor.here?
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

      # Whatever it answers for itself.
      def name_of(kind) = Module.instance_method(:name).bind_call(kind)

      def key(kind)
        case kind
        when Module then kind
        when String, Symbol then kind.to_s.delete_prefix("::").freeze
        else raise ArgumentError, "#{kind.inspect} is no class of errors, nor the name of one"
        end
      end
    end
  end
end
