# frozen_string_literal: true

module Frugal
  module Dropin
    # The environment variables that turn drop-ins off.
    #
    #   FRUGAL=0 rake               # all drop-ins; off, no and false have the same effect
    #   FRUGAL_RAKE=0 rake          # one drop-in
    #   FRUGAL_ONLY=rake,find       # all except these (frugal run --only)
    #   FRUGAL_EXCEPT=rake          # these (frugal run --except)
    module Switch
      # The same as in autorun/unusual.rb, which must not load another file for it.
      OFF = /\A(?:0|off|no|false)\z/i
      private_constant :OFF

      class << self
        # *Cost*: no system call.
        #
        # @return [String, nil] the setting that turns all drop-ins off, such as "FRUGAL=0"
        def all_off = off_by("FRUGAL")

        # *Cost*: no system call.
        #
        # @param name [Symbol]
        # @return [String, nil] the setting that turns this drop-in off
        def off(name)
          setting = all_off || off_by("FRUGAL_#{name.upcase}")
          if setting then setting
          elsif !list("FRUGAL_ONLY", [name.to_s]).include?(name.to_s)
            "FRUGAL_ONLY=#{ENV["FRUGAL_ONLY"]}"
          elsif list("FRUGAL_EXCEPT", []).include?(name.to_s)
            "FRUGAL_EXCEPT=#{ENV["FRUGAL_EXCEPT"]}"
          end
        end

        private

        def off_by(variable) = ("#{variable}=#{ENV[variable]}" if OFF.match?(ENV.fetch(variable, "").b))

        def list(variable, default)
          names = ENV[variable].to_s.split(",").map(&:strip).reject(&:empty?)
          names.empty? ? default : names
        end
      end
    end
  end
end
