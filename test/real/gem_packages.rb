# frozen_string_literal: true

require "fileutils"
require "rbconfig"

module Real
  # Gems of fixed versions. One command installs all of them into one pool, since each `gem
  # install` reads the whole index. A project gets a GEM_HOME with hard links to its gems,
  # so that it sees neither the gems of other projects nor those of the machine.
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
      failed = missing.reject { |gem| installed(gem) }
      return if failed.empty?

      raise Broken, "not installed: #{failed.join(", ")}\n#{File.readlines(log).last(6).join}(the whole log: #{log})"
    end

    # Makes a GEM_HOME with some of the gems.
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

    # @return [String, nil] the full name of the gem; a precompiled one has its platform after the version
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
