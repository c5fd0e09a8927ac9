# files: list extra
# undeclared: read sorted extra 5

file "sorted" => "list" do |t|
  system("sh", "-c", "sh -c 'cat list extra' | sort > sorted") || abort
end

task default: "sorted"
