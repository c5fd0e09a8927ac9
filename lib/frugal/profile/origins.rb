# frozen_string_literal: true

module Frugal
  module Profile
    # Whose file a line belongs to: the program's own files, which its author can change, or those of gems and of Ruby.
    #
    #   origins = Frugal::Profile::Origins.new("/app")
    #   origins.own?("/app/models/post.rb")   # => true
    #   origins.of("/gems/activesupport-7.2.4/lib/active_support/cache.rb")
    #   # => #<struct name="activesupport 7.2.4", path="active_support/cache.rb">
    class Origins
      # name:: String such as "activesupport 7.2.4", "RubyGems" or {PROGRAM}
      # path:: String, relative to the folder of the program or the library
      Origin = Struct.new(:name, :path) do
        # @return [String] the file, with the name of its gem if the path does not tell
        def to_s
          case name
          when PROGRAM, *PLAIN then path
          when RUBY then "Ruby's #{path}"
          else "#{name}: #{path}"
          end
        end
      end

      PROGRAM = "the program"
      RUBY = "Ruby's libraries"
      VENDORED = "vendored code"
      # A gem of Bundler's that comes from git has the start of a commit instead of a version.
      GEM = %r{.*/gems/(?<name>[^/]+)-(?<version>\d[^/]*|\h{12})/(?:lib/)?(?<path>.+)}mn
      # What lies in the directory but is not the program's: vendor/bundle/ruby/3.1.0/gems/rake-13.4.2/lib, or the Ruby
      # of a version manager in the home folder.
      INSTALLED = %r{(?:\A|/)(?:gems/[^/]+-\d[^/]*|bundler/gems/[^/]+|vendor/(?:bundle|cache|gems)|\.bundle|
                     vendor_ruby|ruby/\d+\.\d+\.\d+)/}nx
      LIBRARIES = { "RubyGems" => %r{.*/(?<path>rubygems(?:\.rb\z|/.*))}mn,
                    "Bundler" => %r{.*/(?<path>bundler(?:\.rb\z|/.*))}mn,
                    RUBY => %r{.*/(?:vendor_ruby|ruby/\d+\.\d+\.\d+)/(?<path>.*)}mn,
                    "Ruby" => /\A(?<path><internal:.*)/mn,
                    # The executable of a gem, which loads the gem: /usr/bin/rake.
                    "commands" => %r{(?<path>.*/bin/[^/.]+)\z}mn }.freeze
      PLAIN = [VENDORED, "RubyGems", "Bundler", "Ruby", "commands"].freeze
      OURS = "#{File.expand_path("..", __dir__)}/".b.freeze
      EVAL = "(eval"
      NAME = /\A\S+ (?:\d\S*|\h{12})\z/ # of a gem with its version
      private_constant :NAME, :EVAL, :GEM, :INSTALLED, :LIBRARIES, :PLAIN, :OURS

      # @return [String] the current folder; as the shell knows it, if a program has removed it
      def self.here
        Dir.pwd
      rescue SystemCallError
        ENV.fetch("PWD", File::NULL)
      end

      # @return [String] absolute
      attr_reader :directory

      # @param directory [String] of the project, absolute
      def initialize(directory = Origins.here)
        @directory = directory.delete_suffix("/")
        @inside = "#{@directory}/".b
        @known = {}
      end

      # @param file [String] as in {Frame}
      # @return [Origin]
      def of(file) = @known[file] ||= origin(file.b).each { |text| text.force_encoding(Encoding::UTF_8) }.freeze

      # @param file [String]
      # @return [Boolean] whether the program's author can change it; not so for a text of `eval`, which may be a gem's
      def own?(file) = of(file).name == PROGRAM && !file.start_with?(EVAL)

      # @param file [String]
      # @return [String, nil] the gem to which it belongs, such as "rake 13.4.2"
      def gem(file) = of(file).name[NAME]

      # @param file [String]
      # @return [Boolean] whether it is the program's, and in the directory of the project
      def inside?(file) = own?(file) && file.b.start_with?(@inside)

      private

      def origin(file)
        return library(file) || Origin.new(+PROGRAM, file) unless file.start_with?(@inside)

        path = file.byteslice(@inside.bytesize..)
        return Origin.new(+PROGRAM, path) unless path.match?(INSTALLED)

        library(file) || Origin.new(+VENDORED, path)
      end

      # @return [Origin, nil]
      def library(file)
        gem = GEM.match(file)
        return Origin.new("#{gem[:name]} #{gem[:version]}", gem[:path]) if gem
        return Origin.new(+"frugal", file.delete_prefix(OURS)) if file.start_with?(OURS)

        LIBRARIES.each { |name, pattern| pattern.match(file) { |match| return Origin.new(+name, match[:path]) } }
        nil
      end
    end
  end
end
