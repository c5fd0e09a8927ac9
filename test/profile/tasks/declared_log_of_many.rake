# frozen_string_literal: true

# files: a

%w[one two].each do |name|
  file name => "a" do |t|
    File.open("log", "a") { |log| log.puts name }
    sh "echo #{name} >> log; cp a #{t.name}", verbose: false
  end
end

task default: %w[one two]
