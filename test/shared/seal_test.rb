# frozen_string_literal: true

require_relative "../test_helper"
require "frugal/seal"

class SealTest < Frugal::TestCase
  SECRET = "s" * 32
  OLD = "o" * 16

  def test_what_was_sealed_is_opened_and_nothing_else
    sealed = Frugal::Seal.new(SECRET).close("bytes", "key")
    assert_equal 37, sealed.bytesize
    assert_equal Encoding::BINARY, sealed.encoding
    seal = Frugal::Seal.new(SECRET)
    assert_equal "bytes", seal.open(sealed, "key")
    assert_empty seal.open(seal.close("", "key"), "key")
    assert_nil seal.open(sealed, "another key")
    assert_nil seal.open(sealed)
    assert_nil Frugal::Seal.new("t" * 32).open(sealed, "key")
    sealed.bytesize.times do |at|
      assert_nil seal.open(sealed.dup.tap { |forged| forged.setbyte(at, forged.getbyte(at) ^ 1) }, "key"), at
      assert_nil seal.open(sealed.byteslice(0, at), "key"), at
    end
  end

  # RFC 4231, test case 6: a key that is larger than a block.
  def test_it_is_an_hmac_with_sha256
    mac = ["60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"].pack("H*")
    text = "Test Using Larger Than Block-Size Key - Hash Key First"
    assert_equal mac + text.b, Frugal::Seal.new("\xAA".b * 131).close(text)
    assert_equal mac + text.byteslice(5..).b, Frugal::Seal.new("\xAA".b * 131).close(text.byteslice(5..), text.byteslice(0, 5))
  end

  def test_the_first_secret_writes_and_all_read
    old = Frugal::Seal.new([SECRET])
    changed = Frugal::Seal.new(["n" * 32, SECRET, OLD])
    assert_equal "bytes", changed.open(old.close("bytes"))
    assert_nil old.open(changed.close("bytes"))
    mac = OpenSSL::HMAC.digest("SHA256", OLD, "bytes")
    assert_equal "bytes", changed.open("#{mac}bytes".b)
  end

  def test_secrets_that_cannot_be_used
    [nil, [], "", "s" * 31, [SECRET, "o" * 15], [OLD, SECRET], 1, [SECRET, nil], { a: 1 }, [[SECRET]]].each do |secrets|
      error = assert_raises(Frugal::UsageError) { Frugal::Seal.new(secrets) }
      assert_match(/\Asecret: must be a random String of 32 bytes or more, /, error.message)
    end
    refute_includes Frugal::Seal.new(SECRET).inspect, "s" * 8
  end
end
