# frozen_string_literal: true

# files: tool!:#!/bin/sh\necho\smade
# undeclared: read made tool 7

file "made" do |t|
  sh "./tool > #{t.name}", verbose: false
end

task default: "made"
