# frozen_string_literal: true

# Serves the folder ERRORS_BENCH_FOLDER, which contains one file. ERRORS_BENCH is the
# implementation: "File.open and rescue" (written here), Rack::Files or Frugal::Files.
folder = ENV.fetch("ERRORS_BENCH_FOLDER")
File.write(File.join(folder, "here.txt"), "here\n" * 20)

app =
  case ENV.fetch("ERRORS_BENCH")
  when "Frugal::Files"
    require "frugal/files"
    Frugal::Files.new(folder)
  when "Rack::Files"
    require "rack/files"
    Rack::Files.new(folder)
  else
    lambda do |env|
      [200, { "content-type" => "text/plain" }, [File.open("#{folder}#{env["PATH_INFO"]}", &:read)]]
    rescue Errno::ENOENT
      [404, { "content-type" => "text/plain" }, ["File not found\n"]]
    end
  end

run app
