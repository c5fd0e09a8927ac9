# frozen_string_literal: true

require_relative "../constants"

module Frugal
  module HTTP
    # An error's message without the spelling help and the marked line of source
    # that Ruby's did_you_mean and error_highlight add: for a NoMethodError they
    # take many times as long as a page.
    #
    #   PlainMessage.of(error)        # => "undefined method `nmae' for nil:NilClass"
    #   PlainMessage.detailed(error)  # => "undefined method 'nmae' for nil (NoMethodError)", from Ruby 3.2 on
    #
    # *Cost*: a Method for each helper in the way, and what the class's own message costs.
    module PlainMessage
      # What the helpers put before an error's own +to_s+ (up to Ruby 3.1), or
      # +detailed_message+. Ruby loads them before any program.
      HELPERS = %w[DidYouMean::Correctable ErrorHighlight::CoreExt].filter_map { |name| Constants.loaded(name) }.freeze
      METHOD = Kernel.instance_method(:method)
      private_constant :HELPERS, :METHOD

      class << self
        # @param error [Exception]
        # @return [String] its +message+
        def of(error)
          return error.message unless HELPERS.any? { |helper| helper === error } && METHOD.bind_call(error, :message).owner.equal?(Exception)

          own(error, :to_s).call
        end

        # @param error [Exception]
        # @return [String] its +detailed_message+, without colours
        def detailed(error) = own(error, :detailed_message).call(highlight: false)

        private

        def own(error, name)
          method = METHOD.bind_call(error, name)
          method = method.super_method while HELPERS.include?(method.owner)
          method
        end
      end
    end
  end
end
