# frozen_string_literal: true

require_relative "../../lib/frugal/http"

module Frugal
  module ErrorsBench
    # Ways to raise. Each method raises `count` times. The loops are not shared, because a
    # block call between the loop and the raise would be measured, too.
    module Idioms
      # The error that is raised.
      class NotFound < StandardError; end

      MESSAGE = "there is nothing"
      MISSING = "/no/such/file"

      class << self
        def raised(count)
          count.times do
            raise NotFound, MESSAGE
          rescue NotFound
            nil
          end
        end

        def without_trace(count)
          count.times do
            raise NotFound, MESSAGE, []
          rescue NotFound
            nil
          end
        end

        def thrown(count) = count.times { catch(:found) { throw :found } }

        def with_backtrace(count)
          count.times do
            raise NotFound, MESSAGE
          rescue NotFound => e
            e.backtrace
          end
        end

        def raised_again(count)
          count.times do
            begin
              raise NotFound, MESSAGE
            rescue NotFound => e # rubocop:disable Lint/UselessRescue -- what is measured
              raise e
            end
          rescue NotFound
            nil
          end
        end

        def opened(count)
          count.times do
            File.open(MISSING)
          rescue Errno::ENOENT
            nil
          end
        end

        def no_method_message(count)
          count.times do
            MESSAGE.price
          rescue NoMethodError => e
            e.message
          end
        end

        def halt(count)
          count.times do
            Frugal.halt(404)
          rescue HTTPError
            nil
          end
        end

        def signal(count)
          count.times do
            Frugal.signal(NotFound, MESSAGE)
          rescue NotFound
            nil
          end
        end
      end
    end
  end
end
