# frozen_string_literal: true

# Defines `Ractor#value` in Ruby before 4.0, which has only `Ractor#take`. Tests call `value`;
# the scripts that they run load this file by Subprocess::RACTOR_VALUE.
Ractor.alias_method(:value, :take) if defined?(Ractor) && !Ractor.method_defined?(:value)
