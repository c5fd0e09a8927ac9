# frozen_string_literal: true

# Defines StoreFile, MarshalIndex and MarshalTable of the jar. This is not done when the jar is loaded, because it
# takes JRuby 10 to 15 ms and most programs have no store: `require "frugal/store"` and "frugal/pstore" load this
# file.
Frugal::Native::Java.define_stores

# FileTimes reports what the times of a file system prove. Its autoload would call the `require` of a program that
# runs under `frugal run`.
if Frugal::Loader.frugal_run? && Frugal::Native::Pure.autoload?(:FileTimes, false)
  Frugal::Native::Pure.__send__(:remove_const, :FileTimes)
  require_relative "../pure/file_times"
end
