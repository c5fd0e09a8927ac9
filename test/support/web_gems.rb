# frozen_string_literal: true

require_relative "../../bench/support/web_gems"

# Benchmarks use them too.
WebGems = Frugal::Bench::WebGems
