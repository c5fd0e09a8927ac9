# frozen_string_literal: true

# needs: webs

require_relative "../../bench/support/web_gems"

# The benchmarks use them, too.
WebGems = Frugal::Bench::WebGems
