# frozen_string_literal: true

module Frugal
  module Dropin
    # What the environment turns off.
    #
    #   FRUGAL=0 rake               # everything; off, no and false are as good
    #   FRUGAL_RAKE=0 rake          # one drop-in
    #   FRUGAL_ONLY=rake,find       # all but these (frugal run --only)
    #   FRUGAL_EXCEPT=rake          # these (frugal run --except)
    module Switch
      # As in autorun.rb, which reads no other file for it.
      OFF = /\A(?:0|off|no|false)\z/i.freeze
      private_constant :OFF

      class << self
        # @return [String, nil] the setting that turns everything off
        # Cost: no system call.
        def all_off = set_off("FRUGAL")

        # @param name [Symbol]
        # @return [String, nil] the setting that turns it off
        # Cost: no system call.
        def off(name)
          setting = all_off || set_off("FRUGAL_#{name.upcase}")
          if setting then setting
          elsif !list("FRUGAL_ONLY", [name.to_s]).include?(name.to_s)
            "FRUGAL_ONLY=#{ENV["FRUGAL_ONLY"]}"
          elsif list("FRUGAL_EXCEPT", []).include?(name.to_s)
            "FRUGAL_EXCEPT=#{ENV["FRUGAL_EXCEPT"]}"
          end
        end

        private

        def set_off(variable) = ("#{variable}=#{ENV[variable]}" if OFF.match?(ENV.fetch(variable, "").b))

        def list(variable, default)
          names = ENV[variable].to_s.split(",").map(&:strip).reject(&:empty?)
          names.empty? ? default : names
        end
      end
    end
  end
end
