# frozen_string_literal: true

module Frugal
  module HTTP
    # The HTTP statuses of errors, by number and by the name that Rack and Rails use.
    #
    #   Statuses.code(:not_found)   # => 404
    #   Statuses.reason(404)        # => "Not Found"
    #   Statuses.reason(499)        # => nil
    module Statuses
      # The statuses that an error may have.
      RANGE = (400..599)

      # RFC 9110 and the IANA registry of 2025.
      REASONS = {
        400 => "Bad Request", 401 => "Unauthorized", 402 => "Payment Required", 403 => "Forbidden", 404 => "Not Found",
        405 => "Method Not Allowed", 406 => "Not Acceptable", 407 => "Proxy Authentication Required",
        408 => "Request Timeout", 409 => "Conflict", 410 => "Gone", 411 => "Length Required",
        412 => "Precondition Failed", 413 => "Content Too Large", 414 => "URI Too Long",
        415 => "Unsupported Media Type", 416 => "Range Not Satisfiable", 417 => "Expectation Failed",
        421 => "Misdirected Request", 422 => "Unprocessable Content", 423 => "Locked", 424 => "Failed Dependency",
        425 => "Too Early", 426 => "Upgrade Required", 428 => "Precondition Required", 429 => "Too Many Requests",
        431 => "Request Header Fields Too Large", 451 => "Unavailable For Legal Reasons",
        500 => "Internal Server Error", 501 => "Not Implemented", 502 => "Bad Gateway", 503 => "Service Unavailable",
        504 => "Gateway Timeout", 505 => "HTTP Version Not Supported", 506 => "Variant Also Negotiates",
        507 => "Insufficient Storage", 508 => "Loop Detected", 511 => "Network Authentication Required"
      }.freeze

      # Includes names of older versions of Rack.
      NAMES = REASONS.to_h { |status, reason| [reason.downcase.tr(" ", "_").to_sym, status] }
                     .merge(payload_too_large: 413, unprocessable_entity: 422).freeze

      class << self
        # @param status [Integer, Symbol]
        # @return [Integer] from 400 to 599
        # @raise [ArgumentError] for another status or an unknown name
        def code(status)
          case status
          when Integer then return status if RANGE.cover?(status)
          when Symbol then return NAMES[status] if NAMES.key?(status)
          end
          raise ArgumentError, "status must be from 400 to 599, or a name such as :not_found (got #{status.inspect})"
        end

        # @param status [Integer]
        # @return [String, nil] nil for a status without a name
        def reason(status) = REASONS[status]
      end
    end
  end
end
