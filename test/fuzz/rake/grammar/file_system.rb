# frozen_string_literal: true

# Links, directories, fifos, unusual names and unusual times in the tree.
module RakeFuzz
  Generator.feature(:links, 3) do |draft|
    draft.number(1..2).times do |number|
      name = "l#{number}"
      draft.tree_link(name, draft.pick([draft.file, draft.pick(draft.sources), "nowhere", name, ".", "Rakefile"]))
      draft.targets << name
      draft.add("file(#{draft.target.inspect} => [#{name.inspect}])")
    end
  end

  Generator.feature(:link_loop, 1) do |draft|
    draft.tree_link("loop1", "loop2")
    draft.tree_link("loop2", "loop1")
    draft.add(draft.pick(["file(#{draft.target.inspect} => ['loop1'])",
      "file('loop1' => [#{draft.file.inspect}]) { |t| Fuzz.act(t) }\ntask default: 'loop1'",
      "file('loop1/x') { |t| Fuzz.act(t) }\ntask default: 'loop1/x'",
      "rule('.lp' => 'loop1') { |t| Fuzz.act(t) }\ntask default: 'a.lp'"]))
  end

  Generator.feature(:not_a_directory, 2) do |draft|
    name = "#{draft.pick(draft.sources)}/#{draft.pick(%w[x .. x/y .])}"
    draft.add(draft.pick(["file(#{draft.target.inspect} => [#{name.inspect}])",
      "file(#{name.inspect} => [#{draft.file.inspect}]) { |t| Fuzz.act(t) }\ntask default: #{name.inspect}",
      "file_create(#{name.inspect}) { |t| Fuzz.act(t) }\ntask default: #{name.inspect}",
      "rule('.nd' => #{name.inspect}) { |t| Fuzz.act(t) }\ntask default: 'a.nd'"]))
  end

  Generator.feature(:long_name, 1) do |draft|
    draft.add("file('#{draft.pick(["n" * 300, "d/" * 2100])}' => [#{draft.file.inspect}]) { |t| Fuzz.act(t) }",
      draft.pick(["", "\ntask default: Rake::Task.tasks.map(&:name).max_by(&:size)"]))
  end

  Generator.feature(:directory_prerequisite, 2) do |draft|
    draft.tree_dir("dir0", draft.pick([1, 105, 115, 1000, Fuzz::FUTURE]))
    draft.tree_file("dir0/in", 1000)
    draft.add("file(#{draft.target.inspect} => ['dir0', #{draft.file.inspect}])")
    if draft.chance?(0.6)
      draft.add(draft.pick(["file('dir0' => #{draft.file.inspect}) { |t| Fuzz.act(t) }", "directory 'dir0'",
        "file(#{draft.target.inspect} => ['dir0/'])",
        "file(#{draft.target.inspect} => ['dir0/in', '.', '..'])"]))
    end
  end

  Generator.feature(:odd_names, 4) do |draft|
    Grammar::Names::ODD.sample(draft.number(1..3), random: draft.random).each do |name|
      next draft.add("task(#{name.inspect})") if name.end_with?("/")

      draft.tree_file(name, draft.number(90..140)) if draft.chance?(0.6)
      draft.define(draft.pick(%w[file file task]), name, [draft.file], body: ["Fuzz.act(t)"]) if draft.chance?(0.6)
      draft.define("file", draft.target, [name, draft.file])
    end
  end

  Generator.feature(:bad_names, 1) do |draft|
    name = draft.pick(["nul\0", "", " ", "\xFF", "a\nb", "a\u00e9", "x".encode("UTF-16LE"), "/", ".", "..", "//", "-",
      "~", "~/x", "\0", "s0.c\0x"])
    literal = name.encoding == Encoding::UTF_8 ? name.inspect : "'x'.encode('UTF-16LE')"
    draft.add(draft.pick(["file(#{literal} => [#{draft.file.inspect}]) { |t| Fuzz.act(t) }\ntask default: #{literal}",
      "file(#{draft.target.inspect} => [#{literal}])", "Fuzz.try('bad') { Rake::Task[#{literal}] }",
      "rule('.bn' => [#{literal}]) { |t| Fuzz.act(t) }\ntask default: 'a.bn'"]))
  end

  Generator.feature(:same_file, 2) do |draft|
    name = draft.pick(draft.sources)
    other = draft.pick(["./#{name}", "src/../#{name}", ".//#{name}", File.join("..", "tree", name)])
    draft.add("file(#{draft.target.inspect} => [", ["#{name.inspect}, "], ["#{other.inspect}, "], "])")
    draft.add("file(#{other.inspect} => [#{draft.file.inspect}]) { |t| Fuzz.act(t) }") if draft.chance?(0.3)
    draft.lines[draft.target] << "Fuzz.touch(#{other.inspect}, #{draft.pick([1, 5000])}) if File.exist?(#{other.inspect})" if draft.chance?(0.5)
  end

  Generator.feature(:fifo, 1) do |draft|
    draft.tree << ["fifo", "pipe", nil, draft.number(90..140)]
    draft.add("file(#{draft.target.inspect} => ['pipe', '/dev/null'])")
  end

  Generator.feature(:times, 3) do |draft|
    draft.some(draft.sources, 1..3).each do |name|
      draft.tree.each do |entry|
        if entry[1] == name
          entry[3] = draft.pick([Fuzz::FUTURE, -Fuzz::EPOCH, -Fuzz::EPOCH - 10, 100,
                                 110 + Rational(1, 2), 110 + Rational(1, 1_000_000_000), 120, nil, 8_000_000_000])
        end
      end
    end
  end
end
