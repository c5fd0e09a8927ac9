# frozen_string_literal: true

require_relative "../constants"

module Frugal
  module HTTP
    # An error's message without the decoration of Ruby's did_you_mean (spelling suggestions) and
    # error_highlight (a marked line of source). For a NoMethodError, these take many times as long as a page.
    #
    #   UndecoratedMessage.of(error)        # => "undefined method `nmae' for nil:NilClass"
    #   UndecoratedMessage.detailed(error)  # => "undefined method 'nmae' for nil (NoMethodError)", from Ruby 3.2 on
    #
    # *Cost*: one Method object for each decoration, and the cost of the class's own message.
    module UndecoratedMessage
      # The modules that are prepended: they override +to_s+ (up to Ruby 3.1) or +detailed_message+. Ruby
      # loads them before any program.
      DECORATIONS = %w[DidYouMean::Correctable ErrorHighlight::CoreExt]
                    .filter_map { |name| Constants.loaded(name) }.freeze
      METHOD = Kernel.instance_method(:method)
      private_constant :DECORATIONS, :METHOD

      class << self
        # @param error [Exception]
        # @return [String] its +message+
        def of(error)
          return error.message unless decorated?(error)

          undecorated(error, :to_s).call
        end

        # @param error [Exception]
        # @return [String] its +detailed_message+, without colours
        def detailed(error) = undecorated(error, :detailed_message).call(highlight: false)

        # Reports whether its +message+ is that of Exception, which calls a decorated +to_s+.
        #
        # @param error [Exception]
        # @return [Boolean]
        # *Cost*: no object for an error of a class without decorations.
        def decorated?(error)
          DECORATIONS.any? { |decoration| decoration === error } &&
            METHOD.bind_call(error, :message).owner.equal?(Exception)
        end

        private

        def undecorated(error, name)
          method = METHOD.bind_call(error, name)
          method = method.super_method while DECORATIONS.include?(method.owner)
          method
        end
      end
    end
  end
end
