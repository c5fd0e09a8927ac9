# frozen_string_literal: true

# FileList, String#pathmap and String#ext, with ordinary and with unusual input.
module RakeFuzz
  PATHS = ["foo.c", "foo.c/", "a/b/c/d/file.txt", "/abs/x.rb", "./x", "../y.z", "", ".", "..", "/", "//", "a//b",
    ".hid", ".hid.x", "no_ext", "dot.", "a.b.c", "sp ace.c", "ünï.c", "\xFF.c", "nl\n.c", "x.c\n", "%p", "{a,b}.c",
    "*.c", "a\\b.c",
           "nul\0.c", "src/org/A.java", "trailing.", "..x", "a/.b/c.", "/a", "a/", "~", "a.C", "é/è.ê"].freeze
  SPECS = ["%p", "%f", "%n", "%d", "%x", "%X", "%s", "%%", "%-", "%2d", "%-2d", "%0d", "%9d", "%-1d", "%X.o", "%{a,z}p",
    "%{^src,class}X.class", "%{.*,*}x", "%{a,b;c,d}d", "%{a}n", "%{(,x}p", "%{\\w,<\\0>}f", "%q", "%", "%{", "%{a,b}",
    "%{a,b}2d", "%{a,b}-2d",
           "lit", "", "%n%x", "out/%{a,b}d/%n.o", "%d/%n.%x", "%{,x}p", "%{;}p", "%{a,}p", "%{a,*}p", "%s%s", "%1d%2d",
           "\xFF%n", "%ü", "ü%p", "%\n", "%{\n,x}p", "%f%%%f", "%-d", "%{[,x}n", "%{a,b,c}n", "%n\0",
           "%{A,\\\\}f"].freeze
  EXTENSIONS = ["", ".o", "o", ".tar.gz", ".", "\xFF", "ü", "x\n", "\n.x", " "].freeze

  Generator.feature(:pathmap, 3) do |draft|
    draft.number(2..8).times do
      path, spec = draft.pick(PATHS).inspect, draft.pick(SPECS).inspect
      draft.add(draft.pick(["Fuzz.try('pathmap') { #{path}.pathmap(#{spec}) }",
        "Fuzz.try('pathmap') { #{path}.pathmap(#{spec}) { |one| one.upcase } }",
        "Fuzz.try('ext') { #{path}.ext(#{draft.pick(EXTENSIONS).inspect}) }", "Fuzz.try('ext') { #{path}.ext }",
        "Fuzz.try('odd') { #{path}.pathmap(#{draft.pick([":sym", "nil", "5", "'%n'.b", "'%p'.encode('UTF-16LE')", "'%f'.freeze"])}) }", "Fuzz.try('odd') { #{path}.#{draft.pick(["b.pathmap(#{spec})", "encode('UTF-16LE').pathmap(#{spec})", "dup.force_encoding('ISO-8859-1').pathmap(#{spec})", "ext(nil)", "ext(:o)", "ext(5)", "b.ext('.o')", "freeze.ext('.o')"])} }",
        "Fuzz.try('same') { x = #{path}; y = x.pathmap(#{spec}); [x.equal?(y), y.encoding, y.frozen?] }",
        "Fuzz.try('class') { Class.new(String).new(#{path}).pathmap(#{spec}).class }",
        "Fuzz.try('explode') { #{path}.send(:pathmap_explode) }",
        "Fuzz.try('partial') { #{path}.send(:pathmap_partial, #{draft.number(-4..4)}) }"]))
    end
  end

  STEPS = [".include('*.c')", ".include('**/*')", ".include('s0.c', 'absent')", ".exclude('s1.c')", ".exclude(/h$/)",
    ".exclude('*.h')", ".exclude { |f| f.size > 4 }", ".ext('.o')", ".ext", ".pathmap('%n')", ".pathmap('%{s,t}f')",
    ".sub(/s/, 'S')", ".gsub('s', 'z')", ".existing", ".existing!",
           ".add(['x', ['y', 'z~']])", ".clear_exclude", ".sort", ".reverse", ".uniq", ".map(&:upcase)",
           ".select { |f| f =~ /c/ }", " + ['x']", " - ['s0.c']", " | ['x', 'x']", " * ','", ".dup", ".clone", ".to_a",
           ".resolve", ".first(2)", ".sub!(/c$/, 'd')", ".gsub!(/s/, 'q')", " << 'pushed'", ".push('a', 'b.bak')",
           ".concat(['z'])", ".reject { |f| f == 's0.c' }", ".partition { |f| f =~ /c/ }",
           ".include('x.bak', 'y~', 'CVS/z', 'core', '.svn/q')", ".exclude('**/*.c', nil)", ".include(nil)",
           ".include(Pathname('s0.c'))", ".include(:sym)", ".delete('s0.c')", ".shift(1)", ".each_slice(2).to_a",
           ".flatten", ".values_at(0, 1)", ".compact", ".zip([1])", ".group_by(&:size)", ".freeze",
           ".egrep(/s/) { |f, n, l| Fuzz.log(f, n, l) }", ".include('{s0,s1}.c')", ".include('s?.[ch]')",
           ".exclude(FileList['*.h'])"].freeze
  ENDS = ["", ".to_s", ".size", ".inspect", ".first", ".empty?", ".to_a", ".join(':')", " == ['s0.c']",
    ".include?('s0.c')", ".class", ".is_a?(Array)", ".hash.class", ".index('s1.c')", ".excluded_from_list?('x~')",
    ".to_ary.frozen?", " <=> ['a']", "[0]", "[-1]", ".sum('')", ".length", ".each { |f| Fuzz.log(f) }.class",
    ".instance_variables.sort"].freeze

  Generator.feature(:file_list, 4) do |draft|
    draft.number(1..4).times do
      steps = Array.new(draft.number(0..4)) { [draft.pick(STEPS)] }
      draft.add("Fuzz.try('list') { ", draft.pick(["FileList['*.c']", "FileList.new('s0.c', 's1.c', 'no.c')",
        "FileList[#{draft.file.inspect}, '*']", "FileList.new { |l| l.include('*').exclude('f*') }",
        "FileList['**/*', 'x~']", "FileList[]", "FileList[['s0.c'], '*.h']", "Class.new(FileList).new('*.c')",
        "FileList['s0.c'].exclude('s0.c')"]), *steps, draft.pick(ENDS), " }")
    end
  end

  Generator.feature(:lists_in_builds, 3) do |draft|
    draft.add("OBJECTS = FileList[", ["'*.c', "], ["'src/*.c', "], ["#{draft.pick(draft.sources).inspect}, "],
      "].#{draft.pick(["ext('.obj')", "pathmap('%n.obj')", "pathmap('%X.obj')", "sub(/\\.\\w$/, '.obj')"])}")
    draft.add("OBJECTS.each { |obj| file(obj => FileList['*.h', #{draft.file.inspect}]) { |t| Fuzz.build(t) } }")
    draft.add("file('prog' => OBJECTS)", *draft.block("t, args",
      ["Fuzz.log(t.prerequisites, t.prerequisites.class)", "Fuzz.build(t)"]))
    draft.tree_file("s0.obj", 120) if draft.chance?(0.3)
    draft.tops << "prog"
  end
end
