# frozen_string_literal: true

require_relative "body"
require_relative "headers"
require_relative "statuses"

module Frugal
  # An error that is a response: it has the status, body and headers for the client. Raised by {Frugal.halt}
  # or by +raise+, and turned into a response by Frugal::Rack::Responder.
  #
  #   raise Frugal::HTTPError::NotFound
  #   raise Frugal::HTTPError::TooManyRequests.new(headers: { "retry-after" => "5" })
  #   Frugal::HTTPError[404]                       # => Frugal::HTTPError::NotFound
  #
  # There is one class for each registered status, named after its reason. An application's class inherits from one
  # of them, or sets its constant STATUS.
  class HTTPError < StandardError
    # The default status.
    STATUS = 500
    # The default headers.
    NO_HEADERS = {}.freeze
    private_constant :NO_HEADERS
    # The backtrace of each expected error.
    # @api private
    NO_TRACE = [].freeze

    class << self
      # @param status [Integer, Symbol]
      # @return [Class] HTTPError itself for a status without a name
      # @raise [ArgumentError] for a status outside 400 to 599
      def [](status) = BY_STATUS.fetch(HTTP::Statuses.code(status), HTTPError)
    end

    # @return [Integer] from 400 to 599
    attr_reader :status

    # @return [String, nil] nil leaves the body to the server
    attr_reader :body

    # @return [Hash{String => String, Array<String>}] frozen
    def headers = @headers || NO_HEADERS

    # @param message [String] for the log; it is not sent to the client
    # @param status [Integer, Symbol]
    # @param body [String, nil] sent to the client unchanged
    # @param headers [Hash{String => String, Array<String>}]
    # @raise [ArgumentError] for a status outside 400 to 599, a body that is not a String, or a
    #   header with CR, LF or NUL
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

    # One error of each status, without a backtrace, which is never raised. {Frugal.halt} raises a copy, which takes a
    # third of the time of a new error. Empty under JRuby, where a copy loses its instance variables.
    #
    # @api private
    PATTERNS = (Platform::MRI ? BY_STATUS : {}).transform_values do |error|
      error.new.tap { |pattern| pattern.set_backtrace(NO_TRACE) }.freeze
    end.freeze
  end
end
