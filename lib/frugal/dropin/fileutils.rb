# frozen_string_literal: true

require_relative "../native"
require_relative "guard"
require_relative "replace"
require_relative "fileutils/hooks"
require_relative "fileutils/trees"

module Frugal
  module Dropin
    # Makes FileUtils need fewer system calls, and no exceptions that it rescues itself.
    #
    #   require "frugal/fileutils"      # or: frugal run -- ruby script.rb
    #
    # Replaces four methods, which other methods call: mkdir_p (mkpath, makedirs),
    # remove_entry (rm_r, rm_rf, rmtree, remove_dir, Dir.mktmpdir, Pathname#rmtree),
    # remove_file with force (rm_f, safe_unlink, ln_sf) and copy_entry (cp_r). After an
    # error, and for unusual arguments, FileUtils' own method continues, so that errors and
    # partial results are the same.
    #
    # *Cost*, without errors and exceptions:
    #
    # - mkdir_p: 1 call for a directory that exists, 2n for n that do not.
    # - rm_rf: 1 call for a file or a missing path; for a directory `open`, `getdents` until
    #   it is empty, `close` and `rmdir`; for the first directory also `unlink`.
    # - cp_r: for a file `open`, `fstat`, `open`, one `copy_file_range` per 8 MiB and two
    #   `close`; for a link `readlink` and `symlink`; for a directory `mkdir`, two `open`,
    #   `getdents` until it is empty and two `close`.
    module Fileutils
      # The methods that replace FileUtils' own; see {EntryMethod}.
      METHODS = {
        # With `noop: true` stock still converts the list and prints the verbose line.
        mkdir_p: <<~'RUBY',
          def mkdir_p(list, mode: nil, noop: nil, verbose: nil)
            return frugal_stock_mkdir_p(list, mode: mode, noop: noop, verbose: verbose) if noop
            # +1
            list = fu_list(list) unless verbose
            # +2
            list, verbose = frugal_stock_mkdir_p(list, mode: mode, noop: true, verbose: verbose), nil if verbose
            or_stock { Trees.make_all(self, list, mode) }
            list
          end
        RUBY
        remove_entry: <<~'RUBY',
          def remove_entry(path, force = false)
            # +1
            removed = or_stock(Trees::STOCK) { Trees.remove(path, force) }
            return removed unless Trees::Removed === removed
            removed.with_rest(frugal_stock_remove_entry(path, force))
          end
        RUBY
        remove_file: <<~'RUBY',
          def remove_file(path, force = false) = or_stock(Trees::STOCK) { Trees.unlink(path, force) }
        RUBY
        copy_entry: <<~'RUBY'
          def copy_entry(src, dest, preserve = false, dereference_root = false, remove_destination = false)
            if preserve || remove_destination
              return frugal_stock_copy_entry(src, dest, preserve, dereference_root, remove_destination)
            end
            # +2
            src, dereference_root = ::File.realpath(src), false if dereference_root
            copy = or_stock { Trees.copy_of(src, dest) }
            begin
              while (entry = Trees.next_entry(copy, src))
                # +5
                entry.wrap_traverse(proc do |ent|
                  # +8
                  ent.copy ::FileUtils::Entry_.new(dest, ent.rel, false).path
                end, proc { |ent| })
              end
            rescue OwnFailure
              # here, because FileUtils' own methods run in the loop; stock copies what is left
              entry = false
            ensure
              copy.close
            end
            return if entry.nil?
            frugal_stock_copy_entry(src, dest)
          end
        RUBY
      }.freeze
      ALIASES = { mkdir_p: %i[mkpath makedirs] }.freeze
      private_constant :METHODS, :ALIASES

      class << self
        # @return [String, nil] the reason why this drop-in stands aside
        def guard
          return "it pays only with the engines C and Java" unless Native.engine.respond_to?(:remove_tree)

          changed = redefined
          "FileUtils.#{changed} was redefined" if changed
        end

        # Patches the loaded FileUtils.
        def install
          METHODS.each do |name, code|
            ours = EntryMethod.new(Fileutils, code)
            Replace.module_function(::FileUtils, name, ours, aliases: ALIASES.fetch(name, []))
          end
        end

        private

        def redefined
          owners = [::FileUtils, ::FileUtils.singleton_class]
          changed = (METHODS.keys + ALIASES.values.flatten).find do |name|
            !owners.all? { |owner| Guard.pristine?(owner, name, Hooks::FOLDER) }
          end
          changed || Hooks::ALL.find(&:first_redefined)&.first_redefined
        end
      end
    end
  end
end
