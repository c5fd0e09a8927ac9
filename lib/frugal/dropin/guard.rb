# frozen_string_literal: true

require_relative "../native"

module Frugal
  module Dropin
    # The checks that a drop-in makes before it patches upstream.
    #
    #   Guard.pristine?(Rake::FileTask, :needed?, "/gems/rake-13.0.6/lib/rake/")
    #   Guard.redefined(Rake::FileTask, %i[needed? timestamp], "/gems/rake-13.0.6/lib/rake/")
    #   Guard.core?(File.singleton_class, :mtime)
    #   Guard.unknown_version("Rake", "14.0.0", "13.0".."13.4")
    module Guard
      class << self
        # Whether a method is upstream's own: this class or module defines it, in one of
        # upstream's files, and no prepended module overrides it.
        #
        # @param owner [Module]
        # @param name [Symbol]
        # @param folder [String, nil] the beginning of the file's path: upstream's folder, with its last slash; nil,
        #   which {folder} returns if it finds none, makes the answer false
        # @param file [String] the end of the file's path
        # @param instance [Object] the object, if `owner` is its singleton class
        def pristine?(owner, name, folder = "", file: "", instance: nil)
          method = owner.instance_method(name)
          return false unless method.owner.equal?(owner)

          defined_in?(method, folder, file) ||
            (Platform::JRUBY && !folder.nil? && reader?(owner, method, instance))
        rescue NameError
          false
        end

        # @param owner [Module]
        # @param names [Array<Symbol>]
        # @param folder (see #pristine?)
        # @param file (see #pristine?)
        # @return [String, nil] why a drop-in stands aside: the first of these methods that
        #   is not upstream's own; nil if all are
        def redefined(owner, names, folder = "", file: "")
          changed = names.find { |name| !pristine?(owner, name, folder, file: file) }
          "#{owner}##{changed} was redefined" if changed
        end

        # Whether a file of upstream's defines a method.
        #
        # @param method [Method, UnboundMethod]
        # @param folder (see #pristine?)
        # @param file (see #pristine?)
        def defined_in?(method, folder, file = "")
          path, = method.source_location
          return false if path.nil? || folder.nil?

          path.start_with?(folder) && path.end_with?(file)
        end

        # Whether a method is still Ruby's own, written in C.
        #
        # @param owner [Module]
        # @param name [Symbol]
        # @param definer [Module] the class that defines the method in stock Ruby, if `owner` inherits it
        def core?(owner, name, definer = owner)
          method = owner.instance_method(name)
          method.owner.equal?(definer) && method.source_location.nil?
        rescue NameError
          false
        end

        # Whether the engine asks the kernel itself, which costs less than File and Dir do.
        def native? = Native.engine_name == :c || (Native.engine_name == :java && Native.engine.tier == :jffi)

        # Whether Ruby passes the bytes of a name to the kernel unchanged. JRuby converts names beyond ASCII by its
        # locale, and then does not find every existing file.
        #
        # @param name [String]
        def plain_name?(name) = !Platform::JRUBY || (::String === name && name.ascii_only?)

        # The folder from which upstream was loaded, found through a method that upstream defines.
        #
        # @param owner [Module]
        # @param name [Symbol]
        # @return [String, nil] absolute, with its last slash
        def folder(owner, name)
          file, = owner.instance_method(name).source_location
          file && "#{File.dirname(file)}/"
        rescue NameError
          nil
        end

        # @param upstream [String] its name in the message
        # @param version [String] such as "13.0.6"
        # @param known [Array<Range<String>>] minor versions, as in {version_in?}
        # @param except [String, nil] a version in these ranges that is not supported
        # @return [String, nil] why a drop-in stands aside; nil for a known version
        def unknown_version(upstream, version, *known, except: nil)
          return if version != except && known.any? { |minors| version_in?(version, minors) }

          ranges = known.map { |minors| [minors.begin, minors.end].uniq.join(" to ") }
          ranges << "except #{except}" if except
          "#{upstream} #{version} is not a known version (known: #{ranges.join(", ")})"
        end

        # Whether a version is in a range of minor versions, which includes every patch
        # version of the last one. Does not need RubyGems.
        #
        # @param version [String] such as "13.0.6"
        # @param minors [Range<String>] such as "13.0".."13.4"
        def version_in?(version, minors)
          first, last = [minors.begin, minors.end].map { |minor| numbers(minor) }
          minor = numbers(version)
          (minor <=> first) >= 0 && (minor <=> last) <= 0
        end

        private

        # Whether a method is an `attr_reader`. JRuby does not report its place, so any reader of the variable with
        # its name counts as upstream's.
        def reader?(owner, method, instance)
          return false unless method.source_location.nil? && method.arity.zero?

          variable = :"@#{method.name}"
          unless instance
            return false unless ::Class === owner

            instance = owner.allocate
            instance.instance_variable_set(variable, ::Object.new)
          end
          method.bind_call(instance).equal?(instance.instance_variable_get(variable))
        rescue ::StandardError
          false
        end

        def numbers(version) = version.split(".").first(2).map(&:to_i)
      end
    end
  end
end
