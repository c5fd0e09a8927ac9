# frozen_string_literal: true

require_relative "../test_helper"

# The program has its own autoload for a constant that frugal reads: frugal must not trigger it.
class ProgramConstantsTest < Frugal::TestCase
  HEAD = <<~'RUBY'
    LATE = File.expand_path("late.rb")
    def state(name) = Frugal::Dropin.status.find { |status| status.name == name }.state
  RUBY
  # A subclass with its own hooks, so that frugal checks whether it is a YAML::Store.
  OWN_STORE = <<~'RUBY'
    require "pstore"
    require "frugal/pstore"
    class Own < PStore
      def dump(table) = table.inspect
      def load(content) = raise(ArgumentError, content.respond_to?(:read) ? "by the IO" : "by the String")
      def empty_marshal_data = dump({})
      def empty_marshal_checksum = CHECKSUM_ALGO.digest(empty_marshal_data)
    end
    print state(:pstore), " "
    File.write("store", "x")
    begin
      Own.new("store").transaction {}
    rescue ArgumentError => e
      print e.message
    end
  RUBY

  def setup
    write "late.rb", "warn 'an autoload of the program was run'; exit! 1"
  end

  def test_yaml_store
    assert_quiet "on by the String", "module YAML; autoload :Store, LATE; end\n#{OWN_STORE}"
    assert_quiet "on by the String", "autoload :YAML, LATE\n#{OWN_STORE}"
  end

  # For an error that is neither an ArgumentError nor a TypeError, frugal checks whether it is Psych's.
  def test_psych_exception
    store = OWN_STORE.gsub("ArgumentError", "IOError")
    assert_quiet "on by the String", "module Psych; autoload :Exception, LATE; end\n#{store}"
    assert_quiet "on by the String", "autoload :Psych, LATE\n#{store}"
  end

  def test_racks_release
    ["autoload :Rack, LATE", "module Rack; autoload :RELEASE, LATE; end"].each do |program|
      assert_quiet "true", %(#{program}\nrequire "frugal/http"\nprint Frugal::HTTP::Headers.lowercase?)
    end
  end

  def test_helpers_of_error_messages
    assert_quiet "ok", <<~'RUBY', "--disable=did_you_mean,error_highlight"
      module DidYouMean; autoload :Correctable, LATE; end
      autoload :ErrorHighlight, LATE
      require "frugal/http/undecorated_message"
      print Frugal::HTTP::UndecoratedMessage.of(RuntimeError.new("ok"))
    RUBY
  end

  # Ruby 3.1's Find has no version; a top-level constant of the same name is not Find's.
  def test_a_version_of_the_program
    skip "the drop-in stands aside here" unless Frugal::Native.engine.const_defined?(:FindWalk)

    assert_quiet "on", %(VERSION = "9"\nrequire "find"\nrequire "frugal/find"\nprint state(:find))
  end

  private

  # Asserts that the program prints this, without a warning.
  def assert_quiet(expected, program, *options)
    result = run_ruby(*options, "-e", HEAD + program, chdir: path("."))
    assert_equal [expected, ""], [result.out, result.err], result
  end
end
