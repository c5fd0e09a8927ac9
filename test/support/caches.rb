# frozen_string_literal: true

# needs: caches

# The versions of ActiveSupport and Sprockets that `bin/setup --caches` has installed into
# tmp/caches, separate from RubyGems, and the options with which a Ruby loads one of them.
module Caches
  FOLDER = File.expand_path("../../tmp/caches/gems", __dir__)
  # The gems that they require, except default gems.
  NEEDED = %w[concurrent-ruby/lib/concurrent-ruby i18n/lib tzinfo/lib rack/lib].freeze

  # @param name [String] "activesupport" or "sprockets"
  # @return [Array<String>] the versions that this Ruby can run, such as "activesupport-7.0.8.7", oldest first
  def self.all(name)
    found = Dir.glob("#{name}-*", base: FOLDER).sort_by { |folder| Gem::Version.new(folder.delete_prefix("#{name}-")) }
    RUBY_VERSION.to_f >= 3.2 ? found : found.grep_v(/\Aactivesupport-[89]/)
  end

  # @param upstream [String] one of {all}
  # @return [Array<String>] options that add it to the load path of a Ruby, without RubyGems
  def self.options(upstream)
    needed = NEEDED.map { |path| Dir.glob("#{FOLDER}/#{path.sub("/", "-*/")}").max }
    [*needed, "#{FOLDER}/#{upstream}/lib"].map { |folder| "-I#{folder}" }
  end
end
