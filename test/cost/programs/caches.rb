# frozen_string_literal: true

require_relative "../support/program"
require "logger"
require "active_support"
require "active_support/cache/file_store"
require "sprockets"
include CostProgram # rubocop:disable Style/MixinUsage

store = ActiveSupport::Cache::FileStore.new("cache")
10.times { |number| store.write("key #{number}", "value " * 100) }
File.write("a.js", "")

uses = { "active_support" => ->(number) { store.read("key #{number % 10}") },
         "sprockets" => ->(_number) { Sprockets::PathUtils.stat("a.js") } }
uses.each do |name, use|
  apart do
    measure("#{name} at 0") { -> { require "frugal/#{name}" if frugal? } }
    measure("#{name} at 1: the first use") { -> { use.call(0) } }
    measure("#{name} at 10: ten more") { -> { 10.times(&use) } }
    measure("100 × #{name}") { -> { 100.times(&use) } }
  end
end
