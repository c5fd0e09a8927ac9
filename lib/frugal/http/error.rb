# frozen_string_literal: true

require_relative "body"
require_relative "headers"
require_relative "statuses"

module Frugal
  # An error that is an answer: what to send the client. Raised by {Frugal.halt}, or
  # by +raise+ as any other; turned into a response by Frugal::Rack::Responder.
  #
  #   raise Frugal::HTTPError::NotFound
  #   raise Frugal::HTTPError::TooManyRequests.new(headers: { "retry-after" => "5" })
  #   Frugal::HTTPError[404]                       # => Frugal::HTTPError::NotFound
  #
  # There is one class for each usual status, named as its reason is. One of your own
  # inherits from one of them, or says what its constant STATUS is.
  class HTTPError < StandardError
    # What HTTPError itself stands for, and what a class of errors is to answer.
    STATUS = 500
    # What an error without headers has.
    NO_HEADERS = {}.freeze
    private_constant :NO_HEADERS
    # What every error that is expected has for a trace.
    # @api private
    NO_TRACE = [].freeze

    class << self
      # @param status [Integer, Symbol]
      # @return [Class] this one for a status without a name
      # @raise [ArgumentError] for a status that is not from 400 to 599
      def [](status) = BY_STATUS.fetch(HTTP::Statuses.code(status), HTTPError)
    end

    # @return [Integer] from 400 to 599
    attr_reader :status

    # @return [String, nil] nil leaves it to the server
    attr_reader :body

    # @return [Hash{String => String, Array<String>}] frozen
    def headers = @headers || NO_HEADERS

    # @param message [String] for the log: no client sees it
    # @param status [Integer, Symbol]
    # @param body [String, nil] goes to the client as it is
    # @param headers [Hash{String => String, Array<String>}]
    # @raise [ArgumentError] for what cannot be sent: a status that is not from 400 to 599,
    #   a body that is no String, CR, LF or NUL in a header
    def initialize(message = nil, status: nil, body: nil, headers: nil)
      @status = status.nil? ? self.class::STATUS : HTTP::Statuses.code(status)
      @body = HTTP::Body.checked(body) unless body.nil?
      @headers = HTTP::Headers.checked(headers) unless headers.nil?
      super(message || HTTP::Statuses::REASONS[@status] || "HTTP status #{@status}")
    end

    BY_STATUS = HTTP::Statuses::REASONS.to_h do |status, reason|
      error = Class.new(self) { const_set(:STATUS, status) }
      [status, const_set(reason.delete(" "), error)]
    end.freeze
    private_constant :BY_STATUS

    # One of each, without a trace, that is never raised: a copy of it takes a third of the time of a new one
    # (and loses its instance variables under JRuby, which has none).
    #
    # @api private
    PATTERNS = (RUBY_ENGINE == "ruby" ? BY_STATUS : {}).transform_values do |error|
      error.new.tap { |pattern| pattern.set_backtrace(NO_TRACE) }.freeze
    end.freeze
  end
end
