# frozen_string_literal: true

require_relative "../../platform"
require_relative "../../native"
require_relative "../guard"

module Frugal
  module Dropin
    module Fileutils
      # The methods that FileUtils calls for one of its operations. If one of them was redefined, as in a
      # test's fake file system, stock does the work. The objects are immutable, so that any Ractor may use
      # them.
      #
      #   Hooks::REMOVE.intact?  # => true
      class Hooks
        ENTRY = ::FileUtils::Entry_
        FOLDER = Guard.folder(ENTRY, :path).to_s.freeze
        CORE = { File: ::File, Dir: ::Dir, IO: ::IO }.freeze
        FILE, DIR, STREAM = CORE.values
        NATIVE = Native.engine
        private_constant :ENTRY, :CORE, :FILE, :DIR, :STREAM, :NATIVE

        # @param core [Hash{Symbol => Array<Symbol>}] class methods of File, Dir and IO
        # @param entry [Array<Symbol>] methods of FileUtils::Entry_
        def initialize(entry: [], **core)
          @entry = entry
          @core = core.map do |constant, names|
            [constant, names.map { |name| [name, CORE[constant].method(name).owner] }]
          end
          Platform::MRI ? ::Ractor.make_shareable(self) : freeze
        end

        # Whether none of them was redefined. The main Ractor compares them with the kept
        # methods; other Ractors may not read these.
        #
        # *Cost*: no system call.
        def intact?
          return first_redefined.nil? unless Platform.main_ractor?

          ::File.equal?(FILE) && ::Dir.equal?(DIR) && ::IO.equal?(STREAM) &&
            KEPT.fetch(self).all? { |owner, names, methods| NATIVE.same?(owner, names, methods) }
        end

        # @return [Array<(Module, Array<Symbol>, Array<UnboundMethod>)>] the current definitions
        def methods_now
          owners = @core.map { |constant, methods| [CORE[constant].singleton_class, methods.map(&:first)] }
          owners << [ENTRY, @entry] unless @entry.empty?
          owners.map { |owner, names| [owner, names, names.map { |name| owner.instance_method(name) }] }
        end

        # @return [Symbol, nil] the first of them, or of their classes, that was redefined
        def first_redefined
          @core.each do |constant, methods|
            owner = Object.const_get(constant)
            return constant unless owner.equal?(CORE[constant])

            methods.each { |name, origin| return name unless Guard.core?(owner.singleton_class, name, origin) }
          end
          @entry.find { |name| !Guard.pristine?(ENTRY, name, FOLDER) }
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
        # The definitions when this file is loaded. The guard checks afterwards that all are upstream's own.
        KEPT = ALL.to_h { |hooks| [hooks, hooks.methods_now] }.compare_by_identity
        private_constant :KEPT
      end
    end
  end
end
