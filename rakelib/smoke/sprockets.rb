# frozen_string_literal: true

# Requires: logger sprockets

File.write("a.js", "var a = 1")
environment = Sprockets::Environment.new
environment.append_path(Dir.pwd)
environment["a.js"].to_s.include?("var a") or abort "the asset is not there"
environment["b.js"].nil? or abort "an asset that nobody wrote"
