# frozen_string_literal: true

# files: a b

namespace :site do
  task(:data) { File.write("data", "x") }
  file("page" => %w[a site:data]) { |t| File.write(t.name, File.read("a") + File.read("data")) }
  task(all: [:data, "page", "^top"]) { File.read("data") + File.read("page") + File.read("of-top") }
end
task(:top) { File.write("of-top", "x") }
namespace(:other) { task(:data) { touch "other", verbose: false } }

task default: "site:all"
