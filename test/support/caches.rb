# frozen_string_literal: true

# The versions of ActiveSupport and Sprockets that bin/setup put into tmp/caches
# (beside, not among, the installed gems), and how a Ruby gets one of them.
module Caches
  FOLDER = File.expand_path("../../tmp/caches/gems", __dir__)
  # What they read, as long as it is no default gem.
  NEEDED = %w[concurrent-ruby/lib/concurrent-ruby i18n/lib tzinfo/lib rack/lib].freeze

  # @param name [String] "activesupport" or "sprockets"
  # @return [Array<String>] such as "activesupport-7.0.8.7", oldest first, that this Ruby can run
  def self.all(name)
    found = Dir.glob("#{name}-*", base: FOLDER).sort_by { |folder| Gem::Version.new(folder.delete_prefix("#{name}-")) }
    RUBY_VERSION.to_f >= 3.2 ? found : found.grep_v(/\Aactivesupport-[89]/)
  end

  # @param upstream [String] one of {all}
  # @return [Array<String>] options that put it on a Ruby's load path, without RubyGems' help
  def self.options(upstream)
    needed = NEEDED.map { |path| Dir.glob("#{FOLDER}/#{path.sub("/", "-*/")}").max }
    [*needed, "#{FOLDER}/#{upstream}/lib"].map { |folder| "-I#{folder}" }
  end
end
