# frozen_string_literal: true

module Frugal
  class Doctor
    # Explains the state of the drop-ins in a Rails application, and advises the next step. No advice changes data,
    # since it may be followed on a server, with RAILS_ENV=production.
    #
    #   ApplicationAdvice.new(Application.in("/srv/shop").to_h).verdict   # => "On in this Rails application: rails."
    class ApplicationAdvice
      GEMFILE = 'gem "frugal", require: "frugal/rails"'
      private_constant :GEMFILE

      # @param found [Hash{Symbol => Object}] the result of {Application#to_h}
      def initialize(found)
        @found = found
      end

      # @return [Boolean] whether a drop-in is on, or stands aside as intended, because developers see the errors
      def healthy? = on.any? || as_intended?

      # @return [String]
      def verdict
        return "The Rails application does not boot, so its drop-ins cannot be checked." if @found[:error]
        return "On in this Rails application: #{names(on)}." if on.any?
        return "No drop-in is on in this Rails application." unless as_intended?

        "The drop-in rails is installed. It stands aside in #{@found[:environment]}, where developers see the errors."
      end

      # @return [String]
      def next_step
        return "bin/rails runner 1" if @found[:error]
        return "FRUGAL_VERBOSE=1 prints the state of each drop-in when a server starts" if on.any?
        return "frugal doctor on a server: where users see the errors, the drop-in is on" if as_intended?
        return "bundle add frugal --require frugal/rails" unless @found[:drop_ins]

        case rails[:state]
        when :off then "unset the variable that turns rails off: #{rails[:reason]}" if switched_off?
        when :aside then "docs/compatibility.md, which lists what the drop-in needs"
        end || "in the Gemfile, #{GEMFILE}"
      end

      private

      def on = @found[:drop_ins].to_a.select { |drop_in| drop_in[:state] == :on }

      def rails = @found[:drop_ins].to_a.find { |drop_in| drop_in[:name] == :rails } || {}

      def as_intended? = rails[:state] == :aside && @found[:errors_shown] == true

      def switched_off? = rails[:reason].to_s.start_with?("FRUGAL")

      def names(drop_ins) = drop_ins.map { |drop_in| drop_in[:name] }.join(", ")
    end
  end
end
