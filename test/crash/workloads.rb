# frozen_string_literal: true

module Safety
  # A table to begin with, or nil for no file, and transactions. Each transaction is a block that
  # works on a PStore and on a Hash, so that a Hash has the expected table after each.
  class Workload
    attr_reader :name, :start, :steps

    def initialize(name, start, steps:, link: false)
      @name = name
      @start = start
      @link = link
      @steps = steps
    end

    # Creates the files that the workload begins with.
    #
    # @return [String] the path of the store: of the file, or of a symbolic link to it
    def prepare(folder, subject)
      path = file = "#{folder}/store"
      if @link
        Dir.mkdir("#{folder}/elsewhere")
        file = "#{folder}/elsewhere/file"
        File.symlink("elsewhere/file", path)
      end
      File.binwrite(file, subject.encode(@start)) if @start
      path
    end

    # How many names the folder has without leftovers.
    def files = @link ? 2 : 1

    # @return [Array<Hash>] the table before the first transaction, and after each
    def tables
      @steps.each_with_object([@start || {}]) do |step, tables|
        tables << tables.last.dup.tap { |table| step.call(table) }
      end
    end

    # Text that no other root has, so that a mix of two tables is never equal to an expected one.
    def self.text(seed, size)
      Random.new(seed).bytes((size + 1) / 2).unpack1("H*")[0, size]
    end

    def self.roots(count, size, seed)
      (0...count).to_h { |index| ["root #{index}", text(seed + index, size)] }
    end

    ALL = [
      new("first write", nil, steps: [
            ->(store) { store["a"] = text(1, 600) },
            ->(store) { store["b"] = text(2, 5_000) }
          ]),
      new("change, same size", roots(12, 900, 10), steps: [
            ->(store) { store["root 3"] = text(50, 900) },
            ->(store) { [1, 6, 11].each { |index| store["root #{index}"] = text(60 + index, 900) } }
          ]),
      new("grow", roots(4, 700, 100), steps: [
            ->(store) { store["root 1"] = text(150, 14_000) },
            ->(store) { store["new"] = text(151, 3_000) }
          ]),
      new("shrink", roots(4, 5_000, 200), steps: [
            ->(store) { store["root 0"] = text(250, 900) },
            ->(store) { store["root 2"] = text(251, 100) }
          ]),
      new("many roots", roots(250, 60, 300), steps: [
            ->(store) { (0...250).step(40) { |index| store["root #{index}"] = text(1_000 + index, 60) } },
            lambda do |store|
              (0...250).step(30) { |index| store["root #{index}"] = text(2_000 + index, 60 + (index % 3)) }
            end
          ]),
      new("delete", roots(30, 400, 600), steps: [
            ->(store) { (0...10).each { |index| store.delete("root #{index}") } },
            ->(store) { (12...30).each { |index| store.delete("root #{index}") } }
          ]),
      new("small and often", { "count" => 0 }, steps: (1..4).map { |count| ->(store) { store["count"] = count } }),
      new("through a link", roots(3, 2_000, 700), link: true, steps: [
            ->(store) { store["root 1"] = text(750, 2_000) },
            ->(store) { store["root 2"] = text(751, 3_500) }
          ])
    ].to_h { |workload| [workload.name, workload] }.freeze
  end
end
