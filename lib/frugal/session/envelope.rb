# frozen_string_literal: true

module Frugal
  module Session
    # The bytes of a session as they are kept under a key of a store or a server: a head of 32 characters, then the
    # session.
    #
    #   f1 FORMAT LIFETIME SEQUENCE \n      without the spaces: 2, 3, 10, 16 and 1 characters
    module Envelope
      HEAD = 32
      PATTERN = /\Af1(\d{3})(\d{10})(\h{16})\n/n
      private_constant :PATTERN

      # The result of {unpack}.
      Contents = Struct.new(:bytes, :format, :lifetime, :sequence)

      class << self
        # @param sequence [String] 16 hexadecimal digits, different for each write
        # @return [String] binary
        def pack(bytes, format, lifetime, sequence)
          format("f1%03d%010d%s\n", format, lifetime, sequence).b << bytes.b
        end

        # @return [Contents, nil] nil for bytes that are not a session
        def unpack(value)
          head = PATTERN.match(value.byteslice(0, HEAD).b) or return
          Contents.new(value.byteslice(HEAD..).b, head[1].to_i, head[2].to_i, head[3])
        end
      end
    end
  end
end
