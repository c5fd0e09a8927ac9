# frozen_string_literal: true

require_relative "../guard"

module Frugal
  module Dropin
    module Fileutils
      # The methods that FileUtils does a piece of work with: where one of them is
      # somebody else's, as in a test's fake file system, the stock path is taken.
      # Nothing here changes after it is made, so that any Ractor may ask.
      #
      #   Hooks::REMOVE.untouched?  # => true
      class Hooks
        ENTRY = ::FileUtils::Entry_
        FOLDER = Guard.folder(ENTRY, :path).to_s.freeze
        CORE = { File: ::File, Dir: ::Dir, IO: ::IO }.freeze
        private_constant :ENTRY, :CORE

        # @param core [Hash{Symbol => Array<Symbol>}] class methods of Ruby's
        # @param entry [Array<Symbol>] methods of FileUtils' own class for a path
        def initialize(entry: [], **core)
          @entry = entry
          @core = core.map { |constant, names| [constant, names.map { |name| [name, CORE[constant].method(name).owner] }] }
          Ractor.make_shareable(self)
        end

        # The main Ractor may keep the methods as they were, and only compares.
        # Cost: no system call.
        def untouched?
          return first_touched.nil? unless ::Ractor.current.equal?(::Ractor.main)

          CORE.all? { |constant, owner| Object.const_get(constant).equal?(owner) } &&
            KEPT.fetch(self).all? { |owner, name, method| owner.instance_method(name) == method }
        end

        # @return [Array<(Module, Symbol, UnboundMethod)>] as they are now
        def methods_now
          core = @core.flat_map { |constant, methods| methods.map { |name, _| [CORE[constant].singleton_class, name] } }
          (core + @entry.map { |name| [ENTRY, name] }).map { |owner, name| [owner, name, owner.instance_method(name)] }
        end

        # @return [Symbol, nil]
        def first_touched
          @core.each do |constant, methods|
            owner = Object.const_get(constant)
            return constant unless owner.equal?(CORE[constant])

            methods.each { |name, origin| return name unless rubys?(owner.singleton_class, name, origin) }
          end
          @entry.find { |name| !Guard.pristine?(ENTRY, name, FOLDER) }
        end

        private

        def rubys?(owner, name, origin)
          method = owner.instance_method(name)
          method.source_location.nil? && method.owner.equal?(origin)
        end

        MAKE = new(File: %i[directory? dirname chmod], Dir: %i[mkdir])
        UNLINK = new(File: %i[unlink path], entry: %i[initialize path remove_file platform_support])
        REMOVE = new(File: %i[lstat unlink path join], Dir: %i[children rmdir],
                     entry: %i[initialize path postorder_traverse directory? lstat lstat! entries join
                               remove remove_file remove_dir1 platform_support])
        COPY = new(File: %i[lstat open path join exist? directory? readlink symlink], Dir: %i[children mkdir],
                   IO: %i[copy_stream],
                   entry: %i[initialize path wrap_traverse lstat lstat! file? directory? symlink? entries join
                             copy copy_file])
        ALL = [MAKE, UNLINK, REMOVE, COPY].freeze
        # As the guard has found them: whatever is not upstream's by then ends the installation.
        KEPT = ALL.to_h { |hooks| [hooks, hooks.methods_now] }.compare_by_identity
        private_constant :KEPT
      end
    end
  end
end
