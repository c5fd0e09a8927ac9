# frozen_string_literal: true

# Requires: pstore

PStore.new("store").transaction { |store| store[:a] = 1 }
PStore.new("store").transaction(true) { |store| store[:a] } == 1 or abort "the value is not there"
