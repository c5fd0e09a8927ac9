# frozen_string_literal: true

require_relative "../../error"

# Loads the gem of the serializers :messagepack of stores and sessions.
begin
  require "msgpack"
rescue LoadError
  raise Frugal::UsageError, "serializer: :messagepack needs the gem msgpack, which is not installed: " \
                            "add gem \"msgpack\" to the Gemfile, or gem install msgpack"
end
