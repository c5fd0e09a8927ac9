# frozen_string_literal: true

# files: src/a src/b c d real e
# link: link real

require "pathname"
file "out" => FileList["src/*"] + ["./c", File.expand_path("d"), Pathname("e"), "link"] do |t|
  %w[src/a ./src/b src/../c d real ./e].each { |name| File.read(name) }
  File.write(t.name, File.read(File.expand_path("link")))
end

task default: "out"
