# frozen_string_literal: true

# Ruby 4.0 has `Ractor#value` and no `Ractor#take`, older ones the other way round.
# Tests call `value`; scripts that they run get this file by Subprocess::RACTOR_VALUE.
Ractor.alias_method(:value, :take) if defined?(Ractor) && !Ractor.method_defined?(:value)
