# frozen_string_literal: true

# files: list extra
# undeclared: read sorted extra 7

file "sorted" => "list" do |_t|
  system("sh", "-c", "sh -c 'cat list extra' | sort > sorted") || abort
end

task default: "sorted"
