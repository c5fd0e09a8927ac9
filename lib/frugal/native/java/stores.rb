# frozen_string_literal: true

# Defines StoreFile, MarshalIndex and MarshalTable of the jar. Not when the jar is loaded, because it takes JRuby
# 10 to 15 ms, and most programs have no store: `require "frugal/store"` and "frugal/pstore" come here.
Frugal::Native::Java.define_stores
