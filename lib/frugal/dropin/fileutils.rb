# frozen_string_literal: true

require_relative "../native"
require_relative "guard"
require_relative "replace"
require_relative "fileutils/hooks"
require_relative "fileutils/trees"

module Frugal
  module Dropin
    # Makes FileUtils ask the kernel less, and raise nothing that it would rescue.
    #
    #   require "frugal/fileutils"      # or: frugal run -- ruby script.rb
    #
    # Four methods are replaced, and with them those that call them: mkdir_p
    # (mkpath, makedirs), remove_entry (rm_r, rm_rf, rmtree, remove_dir,
    # Dir.mktmpdir, Pathname#rmtree), remove_file with force (rm_f, safe_unlink,
    # ln_sf) and copy_entry (cp_r). Whatever fails, or is odd, goes on in
    # FileUtils' own, which raises, swallows and leaves behind what it does.
    #
    # Cost, without errors: mkdir_p 1 call for a directory that is there, 2n for
    # n that are not. rm_rf 1 for a file and for nothing; for a directory +open+,
    # +getdents+ until the end, +close+ and +rmdir+, for a root +unlink+ first.
    # cp_r for a file +open+, +fstat+, +open+, a +copy_file_range+ for 8 MiB, and
    # two +close+; for a link +readlink+ and +symlink+; for a directory +mkdir+,
    # two +open+, +getdents+ until the end and two +close+. No exception.
    module Fileutils
      # What the differential fuzzer is run against; Ruby 3.1 brings 1.6.
      KNOWN_VERSIONS = ("1.6".."1.8").freeze
      # The names of each method that is replaced.
      REPLACED = { mkdir_p: %i[mkdir_p mkpath makedirs], remove_entry: %i[remove_entry],
                   remove_file: %i[remove_file], copy_entry: %i[copy_entry] }.each_value(&:freeze).freeze
      private_constant :REPLACED

      # In place of FileUtils' own. The originals stay as +frugal_stock_…+; user
      # code that redefines these methods afterwards replaces ours.
      module Patch
        # Stock, told to do nothing, still makes the list and writes the line.
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
        # @return [String, nil] why this drop-in stands aside
        def guard
          return "it pays only with the C engine" unless Native.engine.respond_to?(:remove_tree)
          return "FileUtils #{::FileUtils::VERSION} is not known (1.6 to 1.8 are)" unless Guard.version_in?(::FileUtils::VERSION, KNOWN_VERSIONS)

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
          changed = REPLACED.values.flatten.find { |name| !owners.all? { |owner| upstream?(owner, name) } }
          changed || Hooks::ALL.find { |hooks| hooks.first_touched }&.first_touched
        end

        def upstream?(owner, name) = Guard.pristine?(owner, name, Hooks::FOLDER)
      end
    end
  end
end
