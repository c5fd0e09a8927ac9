# frozen_string_literal: true

# files: sub/a sub/b sub/Rakefile:file("out"=>"a"){|t|cp"b",t.name,verbose:false}\ntask\sdefault:"out"
# undeclared: read out sub/b sub/Rakefile:1

task(:default) { sh "cd sub && rake", verbose: false }
