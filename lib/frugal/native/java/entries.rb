# frozen_string_literal: true

# Defines EntryFile and EntryRecord of the jar when `require "frugal/entries"` first asks for them: see stores.rb.
Frugal::Native::Java.define_entries

require_relative "../pure/turns"
Frugal::Native::Java::EntryFile.include(Frugal::Native::Pure::Turns)
