# frozen_string_literal: true

# Methods of Dir that call a block of the program while they run: the calls in the block are recorded separately.
module Listings
  # Class methods of Dir that call a block of the program while they run.
  module Blocks
    # As in Ruby, the directory is closed after the block.
    ruby2_keywords def open(*args, &block)
      directory = Wrappers.run(Directories, :open, self, :open, args) { super(*args, &nil) }
      return directory unless block

      begin
        yield directory
      ensure
        Exceptions.trim($!) if $!
        directory.close
      end
    end

    %w[each_child foreach].each do |name|
      module_eval(<<~RUBY, __FILE__, __LINE__ + 1) # rubocop:disable Style/DocumentDynamicEvalDefinition -- the name only
        ruby2_keywords def #{name}(*args, &block)
          return super(*args, &block) unless block
          before = $!
          begin
            super(*args, &block)
          ensure
            error = $!
            Exceptions.trim(error) unless error.equal?(before)
            Directories.listed(args.first, :readdir, :closedir) unless SystemCallError === error && !error.equal?(before)
          end
        end
      RUBY
    end

    %w[glob []].each do |name|
      module_eval(<<~RUBY, __FILE__, __LINE__ + 1) # rubocop:disable Style/DocumentDynamicEvalDefinition -- the name only
        ruby2_keywords def #{name}(*args, &block)
          found = Wrappers.run(Directories, :glob, self, :#{name == "[]" ? "glob" : name}, args) { super(*args, &nil) }
          return found unless block
          found.each(&block)
          nil
        end
      RUBY
    end
  end

  # The same methods of an open directory.
  module Entries
    %w[each each_child].each do |name|
      module_eval(<<~RUBY, __FILE__, __LINE__ + 1) # rubocop:disable Style/DocumentDynamicEvalDefinition -- the name only
        def #{name}(&block)
          return super(&block) unless block
          begin
            super(&block)
          ensure
            Exceptions.trim($!) if $!
            Directories.listed(path, :readdir)
          end
        end
      RUBY
    end
  end
end
