# frozen_string_literal: true

# Circles and missing files, in all their forms.
module RakeFuzz
  Generator.feature(:circle, 3) do |draft|
    names = %w[z0 z1 z2].take(draft.number(1..3))
    kinds = Array.new(3) { draft.pick(%w[file file task multitask file_create]) }
    names.each_with_index do |name, at|
      back = names[(at + 1) % names.size]
      back = "rake:#{back}" if draft.chance?(0.15)
      order_only = draft.chance?(0.2) ? [back] : []
      draft.define(kinds[at], name, draft.some([draft.file, draft.file], 0..2) + (order_only.empty? ? [back] : []),
        order_only: order_only, body: ["Fuzz.act(t)"])
      draft.tree_file(name, 100 + at) if draft.chance?(0.5)
    end
    draft.define("file", "zz.o", [draft.file, draft.pick(names), draft.file], body: ["Fuzz.build(t)"])
    draft.tree_file("zz.o", 500) if draft.chance?(0.5)
    draft.tops << draft.pick(names + ["zz.o"])
    draft.lines[draft.target] << "Fuzz.try('circle') { Rake::Task['z0'].invoke }" if draft.chance?(0.3)
    draft.add("rule(/^z\\d$/ => '#{draft.pick(%w[z0 zz.o s0.c])}') { |t| Fuzz.act(t) }") if draft.chance?(0.2)
    draft.add("task default: [", ["#{draft.file.inspect}, "], "'default']") if draft.chance?(0.1)
  end

  Generator.feature(:circle_by_invoke, 1) do |draft|
    draft.lines[draft.target] << "Rake::Task['default'].invoke"
    draft.lines[draft.target] << "Fuzz.try('self') { t.invoke }; t.reenable; Fuzz.log(t.already_invoked)"
    draft.lines[draft.target] << "unless $again\n    $again = true; t.reenable; t.invoke\n  end"
  end

  Generator.feature(:missing, 3) do |draft|
    name = draft.pick(["absent.c", "no/such/dir.c", "absent", "s0.d", "defualt", "#{draft.target}x"])
    draft.add("file(#{draft.target.inspect} => [", ["#{draft.file.inspect}, "], ["#{name.inspect}, "], "])")
    draft.add("rule('.d' => #{draft.pick(["'.e'", "->(n) { Fuzz.log('d', n); [] }", "'.c'"])}) { |t| Fuzz.build(t) }") if draft.chance?(0.4)
    if draft.chance?(0.4)
      draft.lines[draft.target] << draft.pick(["Fuzz.write(#{name.inspect})",
        "Fuzz.try('absent') { Rake::Task[#{name.inspect}].invoke }"])
    end
  end

  Generator.feature(:missing_target, 1) do |draft|
    draft.argv << draft.pick(["nothere", "f1_O.o", "defalt", "a:b",
    "../x", "/etc/passwd", "Rakefile", "s0.c", "^default", "rake:default", "-x"])
  end

  Generator.feature(:failed_again, 2) do |draft|
    name = draft.target
    draft.add("file('bad.o' => [#{draft.file.inspect}]) { |t| Fuzz.act(t); raise 'bad' }")
    draft.add("file(#{name.inspect} => [", ["'bad.o', "], "])")
    draft.define("task", "twice", [], body: ["Fuzz.try('one') { Rake::Task[#{name.inspect}].invoke }",
      "Fuzz.try('two') { Rake::Task[#{name.inspect}].invoke }",
      "Fuzz.try('three') { Rake::Task['bad.o'].tap(&:reenable).invoke }", "Fuzz.act(t)"])
    draft.tops.unshift("twice")
  end

  # As deep as stock's stack allows. The drop-in has no such limit.
  Generator.feature(:deep, 1) do |draft|
    depth = draft.pick([50, 120, 250])
    draft.add("(1..#{depth}).each { |i| file(\"d\#{i}\" => [i == 1 ? #{draft.file.inspect} : \"d\#{i - 1}\"]) { |t| Fuzz.build(t) } }")
    (1..depth).each { |number| draft.tree_file("d#{number}", 200 + number) } if draft.chance?(0.6)
    draft.tops << "d#{depth}"
  end

  Generator.feature(:wide, 1) do |draft|
    draft.add("1.upto(#{width = draft.pick([30, 80])}) { |i| file(\"w\#{i}\" => [#{draft.file.inspect}, \"w\#{i / 2}\"]) { |t| Fuzz.build(t) } }\nfile('w0' => #{draft.file.inspect})")
    (0..width).each { |number| draft.tree_file("w#{number}", 200 + number) unless draft.chance?(0.02) }
    draft.add("task(:wide => (0..#{width}).map { |i| \"w\#{i}\" })")
    draft.tops << "wide"
  end
end
