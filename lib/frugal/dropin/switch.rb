# frozen_string_literal: true

module Frugal
  module Dropin
    # What the environment turns off.
    #
    #   FRUGAL=0 rake               # everything
    #   FRUGAL_RAKE=0 rake          # one drop-in
    #   FRUGAL_ONLY=rake,find       # all but these (frugal run --only)
    #   FRUGAL_EXCEPT=rake          # these (frugal run --except)
    module Switch
      class << self
        # @param name [Symbol]
        # @return [String, nil] the setting that turns it off
        # Cost: no system call.
        def off(name)
          own = "FRUGAL_#{name.upcase}"
          if ENV["FRUGAL"] == "0" then "FRUGAL=0"
          elsif ENV[own] == "0" then "#{own}=0"
          elsif !list("FRUGAL_ONLY", [name.to_s]).include?(name.to_s)
            "FRUGAL_ONLY=#{ENV["FRUGAL_ONLY"]}"
          elsif list("FRUGAL_EXCEPT", []).include?(name.to_s)
            "FRUGAL_EXCEPT=#{ENV["FRUGAL_EXCEPT"]}"
          end
        end

        private

        def list(variable, default)
          names = ENV[variable].to_s.split(",").map(&:strip).reject(&:empty?)
          names.empty? ? default : names
        end
      end
    end
  end
end
