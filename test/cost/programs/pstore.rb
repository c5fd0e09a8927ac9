# frozen_string_literal: true

require_relative "../support/program"
require "pstore"
include CostProgram # rubocop:disable Style/MixinUsage

ROOTS = 500

def value(number) = { "name" => "number #{number % 9}", "cents" => number }

PStore.new("store").transaction do |store|
  ROOTS.times { |number| store["root #{number}"] = value(number) }
end
sleep 0.05 # until the times of the file can show another change

# Transactions of one object, after the first ones.
def transactions(name, store = PStore.new("store"), &block)
  measure("200 × #{name}") do
    number = 0
    3.times { block.call(store, number += 1) }
    -> { 200.times { block.call(store, number += 1) } }
  end
end

apart do
  transactions("read") { |store, number| store.transaction(true) { store["root #{number}"] } }
  transactions("write of the same") { |store, number| store.transaction { store["root #{number}"] = store["root #{number}"].itself } }
  transactions("write of a change") { |store, number| store.transaction { store["root #{number}"] = value(number + 1) } }
  measure("20 × a new PStore") { -> { 20.times { |number| PStore.new("store").transaction(true) { |store| store["root #{number}"] } } } }
end
