# frozen_string_literal: true

module Frugal
  module Dropin
    # Questions that a drop-in's guard asks before it patches anything.
    #
    #   Guard.pristine?(Rake::FileTask, :needed?, "/gems/rake-13.0.6/lib/rake/")
    #   Guard.core?(File.singleton_class, :mtime)
    #   Guard.version_in?("13.0.6", "13.0".."13.4")
    module Guard
      class << self
        # Whether a method is upstream's own: defined by this very class or
        # module, nothing prepended, in a file of upstream's folder.
        #
        # @param owner [Module]
        # @param name [Symbol]
        # @param folder [String] absolute, with its last slash
        def pristine?(owner, name, folder)
          method = owner.instance_method(name)
          file, = method.source_location
          method.owner.equal?(owner) && !file.nil? && file.start_with?(folder)
        rescue NameError
          false
        end

        # Whether a method is still Ruby's, written in C.
        #
        # @param owner [Module]
        # @param name [Symbol]
        def core?(owner, name)
          method = owner.instance_method(name)
          method.owner.equal?(owner) && method.source_location.nil?
        rescue NameError
          false
        end

        # The folder that upstream was loaded from, of a method that it defines.
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

        # Whether a version lies in a range of minor versions; all patch levels
        # of the last one count. RubyGems need not be loaded.
        #
        # @param version [String] such as "13.0.6"
        # @param minors [Range<String>] such as "13.0".."13.4"
        def version_in?(version, minors)
          first, last = [minors.begin, minors.end].map { |minor| numbers(minor) }
          minor = numbers(version)
          (minor <=> first) >= 0 && (minor <=> last) <= 0
        end

        private

        def numbers(version) = version.split(".").first(2).map(&:to_i)
      end
    end
  end
end
