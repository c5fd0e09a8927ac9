# frozen_string_literal: true

require_relative "../../test_helper"
require_relative "../../support/profile_case"

class TinyReadsTest < Frugal::TestCase
  include ProfileCase

  def test_tiny_reads
    found = finding { tiny(reads: 50) }
    assert_equal [:tiny_reads, 49], [found.kind, found.count]
    assert_equal "50 reads of 8 bytes on average, where 1 file could be read at once", found.message
  end

  def test_reads_that_cannot_be_one
    assert_equal([49, 0, 0, 0, 0, 0], [
                   count(:tiny_reads) { tiny(reads: 50) }, count(:tiny_reads) { tiny(reads: 15) },
                   count(:tiny_reads) { tiny(reads: 50, content: "") }, count(:tiny_reads) { tiny(reads: 50, content: "x" * 1_100_000) },
                   count(:tiny_reads) { tiny(reads: 50, waits: true) }, count(:tiny_reads) { tiny(reads: 50, piece: "x" * 65) }
                 ])
    assert_equal(0, count(:tiny_reads) { tiny(reads: 50, path: "/dev/urandom") })
  end
end
