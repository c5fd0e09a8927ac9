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
      # The versions that the differential fuzzer runs against; 1.6 is that of Ruby 3.1.
      KNOWN_VERSIONS = ("1.6".."1.8")
      # The replaced methods, each with its aliases.
      REPLACED = { mkdir_p: %i[mkdir_p mkpath makedirs], remove_entry: %i[remove_entry],
                   remove_file: %i[remove_file], copy_entry: %i[copy_entry] }.each_value(&:freeze).freeze
      private_constant :REPLACED

      # The methods that replace FileUtils' own; see {Replace}.
      module Patch
        # With `noop: true` stock still converts the list and prints the verbose line.
        def mkdir_p(list, mode: nil, noop: nil, verbose: nil)
          list = noop || verbose ? frugal_stock_mkdir_p(list, mode: mode, noop: true, verbose: verbose) : fu_list(list)
          return list if noop

          list.each do |path|
            made = begin
              Trees.make(self, path, mode)
            rescue OwnFailure
              false
            end
            made || frugal_stock_mkdir_p(path, mode: mode)
          end
          list
        end

        def remove_entry(path, force = false)
          Trees.remove(path, force) { frugal_stock_remove_entry(path, force) }
        rescue OwnFailure
          frugal_stock_remove_entry(path, force)
        end

        def remove_file(path, force = false)
          return Native.engine.unlink(path) if force && Trees.unlinks?(path)

          frugal_stock_remove_file(path, force)
        rescue OwnFailure
          frugal_stock_remove_file(path, force)
        end

        def copy_entry(src, dest, preserve = false, dereference_root = false, remove_destination = false)
          if preserve || remove_destination
            return frugal_stock_copy_entry(src, dest, preserve, dereference_root, remove_destination)
          end

          src = File.realpath(src) if dereference_root
          begin
            return Trees.copy(src, dest) if Trees.copies?(src, dest)
          rescue OwnFailure
            nil
          end
          frugal_stock_copy_entry(src, dest)
        end
      end

      class << self
        # @return [String, nil] the reason why this drop-in stands aside
        def guard
          return "it pays only with the engines C and Java" unless Native.engine.respond_to?(:remove_tree)

          unknown = Guard.unknown_version("FileUtils", ::FileUtils::VERSION, KNOWN_VERSIONS)
          return unknown if unknown

          changed = redefined
          "FileUtils.#{changed} was redefined" if changed
        end

        # Patches the loaded FileUtils.
        def install
          REPLACED.each do |name, names|
            Replace.module_function(::FileUtils, name, Patch.instance_method(name), aliases: names.drop(1))
          end
        end

        private

        def redefined
          owners = [::FileUtils, ::FileUtils.singleton_class]
          changed = REPLACED.values.flatten.find do |name|
            !owners.all? { |owner| Guard.pristine?(owner, name, Hooks::FOLDER) }
          end
          changed || Hooks::ALL.find(&:first_redefined)&.first_redefined
        end
      end
    end
  end
end
