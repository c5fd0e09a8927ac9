# frozen_string_literal: true

require "fileutils"
require "rbconfig"

module Real
  # Pinned gems. All are installed into one pool by one command, since each `gem
  # install` reads the whole index; a project gets a GEM_HOME of hard links to its own,
  # so that it sees no other project's gems, nor those of the machine.
  class GemPackages
    # @param pool [String] a GEM_HOME
    # @yieldparam line [String]
    def initialize(pool, &progress)
      @pool = pool
      @progress = progress
    end

    # @param pinned [Array<String>] such as "builder-3.3.0", dependencies included
    # @raise [Broken]
    def install(pinned)
      missing = pinned.uniq.reject { |gem| installed(gem) }
      return if missing.empty?

      @progress.call("installing #{missing.size} gems from RubyGems: #{missing.join(", ")}")
      FileUtils.mkdir_p(@pool)
      log = File.join(Store::ROOT, "install.log")
      system(Store::STOCK.merge("GEM_HOME" => nil, "GEM_PATH" => nil), RbConfig.ruby, "-S", "gem", "install",
             "--no-document", "--ignore-dependencies", "--force", "--install-dir", @pool,
             *missing.map { |gem| gem.sub(/-(?=\d[\w.]*\z)/, ":") },
             in: File::NULL, out: [log, "w"], err: %i[child out])
      lost = missing.reject { |gem| installed(gem) }
      return if lost.empty?

      raise Broken, "not installed: #{lost.join(", ")}\n#{File.readlines(log).last(6).join}(all of it: #{log})"
    end

    # Makes a GEM_HOME of some of them.
    def view(folder, pinned)
      FileUtils.mkdir_p(folder)
      pinned.each do |gem|
        name = installed(gem) or raise Broken, "#{gem} is not installed"
        compiled = Dir.glob("extensions/*/*/#{name}", base: @pool)
        ["specifications/#{name}.gemspec", "gems/#{name}", *compiled].each { |path| link(path, folder) }
      end
      link("bin", folder) if File.directory?("#{@pool}/bin")
    end

    private

    # @return [String, nil] its full name; a precompiled gem has its platform behind the version
    def installed(gem)
      Dir.glob("#{gem}{,-*}.gemspec", base: "#{@pool}/specifications").first&.delete_suffix(".gemspec")
    end

    def link(path, folder)
      target = File.join(folder, path)
      FileUtils.mkdir_p(File.dirname(target))
      system("cp", "-al", File.join(@pool, path), target) or raise Broken, "cp -al #{path} failed"
    end
  end
end
