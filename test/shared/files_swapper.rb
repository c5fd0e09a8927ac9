# frozen_string_literal: true

# Replaces a directory and a file by links that lead outside and back, as fast as it can: for files_race_test.rb.
#
#   ruby files_swapper.rb TREE
module FilesSwapper
  MOVES = [%w[root/dir real], %w[link root/dir], %w[root/dir link], %w[real root/dir], %w[secret_link root/file],
           %w[root/file secret_link]].freeze

  # @param tree [String]
  # @return [nil] if the block returns false
  def self.run(tree)
    while yield
      MOVES.each { |from, to| File.rename("#{tree}/#{from}", "#{tree}/#{to}") }
      File.link("#{tree}/kept", "#{tree}/new")
      File.rename("#{tree}/new", "#{tree}/root/file")
    end
  end
end

if $PROGRAM_NAME == __FILE__
  $stdout.sync = true
  puts "ready"
  FilesSwapper.run(ARGV.first) { true }
end
