# frozen_string_literal: true

# Defines Beneath and BeneathFile of the jar when `require "frugal/files"` first asks for them: see stores.rb.
Frugal::Native::Java.define_files
