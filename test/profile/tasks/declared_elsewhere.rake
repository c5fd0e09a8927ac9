# frozen_string_literal: true

# files: .git/HEAD vendor/bundle/ruby/3.1.0/gems/x-1.0/lib/x

file "out" do |t|
  File.write(t.name, File.read("/etc/passwd") + File.read(".git/HEAD") + File.read("#{Gem.loaded_specs["rake"].full_gem_path}/lib/rake/testtask.rb"))
  File.read("vendor/bundle/ruby/3.1.0/gems/x-1.0/lib/x")
end

task default: "out"
