# frozen_string_literal: true

# files: data
# undeclared: read page data 8 fetch

task(:fetch) { File.write("data", "new") }
file "page" => "data" do |t|
  File.write(t.name, File.read("data"))
end

task default: %w[fetch page]
