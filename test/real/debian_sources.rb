# frozen_string_literal: true

require "fileutils"
require "open3"

module Real
  # Sources of Debian packages, by apt-get, from the mirror that this machine uses
  # for its binary packages. All that apt-get writes is in a folder of ours: neither
  # the machine's lists nor its sources change, and nobody needs to be root.
  class DebianSources
    ROOT = File.expand_path("../../tmp/real/debian", __dir__)

    # @return [String, nil] the version of a package that was fetched
    def self.version(package)
      dsc = Dir.glob("#{ROOT}/packages/#{package}_*.dsc").first
      File.basename(dsc, ".dsc").delete_prefix("#{package}_") if dsc
    end

    # @yieldparam line [String]
    def initialize(folder = ROOT, &progress)
      @folder = folder
      @progress = progress
    end

    # Unpacks the upstream tarball, without Debian's patches, as +target+.
    #
    # @raise [LeftOut] where there is no apt-get
    # @raise [Broken]
    def unpack(package, target)
      fetch(package) unless tarball(package)
      FileUtils.mkdir_p(target)
      system("tar", "-xf", tarball(package), "-C", target, "--strip-components=1") or raise Broken, "tar failed for #{package}"
    end

    private

    def tarball(package) = Dir.glob("#{@folder}/packages/#{package}_*.orig.tar.*").grep_v(/\.asc\z/).first

    def fetch(package)
      apt = ENV.fetch("PATH").split(":").any? { |folder| File.executable?("#{folder}/apt-get") }
      raise LeftOut, "its sources come from Debian, and there is no apt-get here" unless apt

      update unless File.exist?("#{@folder}/updated")
      @progress.call("fetching the source of #{package} from Debian")
      FileUtils.mkdir_p("#{@folder}/packages")
      apt_get("source", "--download-only", package, chdir: "#{@folder}/packages")
      raise Broken, "apt-get source brought no tarball of #{package}" unless tarball(package)
    end

    def update
      @progress.call("asking Debian for its list of sources")
      %w[lists/partial cache/archives/partial parts].each { |name| FileUtils.mkdir_p("#{@folder}/#{name}") }
      File.write("#{@folder}/parts/sources.list", "#{source_line}\n")
      apt_get("update")
      FileUtils.touch("#{@folder}/updated")
    end

    # Made of the first binary source of Debian's own that has the component main.
    def source_line
      format = "$(REPO_URI) $(RELEASE) $(COMPONENT) $(SIGNED_BY)"
      targets, = Open3.capture2("apt-get", "indextargets", "--format", format, "Created-By: Packages", err: File::NULL)
      uri, release, _, key = targets.lines.map(&:split).find { |one| one[2] == "main" && one[0].include?("debian") }
      raise LeftOut, "its sources come from Debian, and apt-get has no mirror of Debian here" unless uri

      "deb-src #{"[signed-by=#{key}] " if key}#{uri} #{release} main"
    end

    def apt_get(*arguments, chdir: @folder)
      settings = { "Dir::Etc::sourcelist" => "/dev/null", "Dir::Etc::sourceparts" => "#{@folder}/parts", "Dir::State::lists" => "#{@folder}/lists",
                   "Dir::Cache" => "#{@folder}/cache", "APT::Sandbox::User" => "" }
      options = settings.flat_map { |name, value| ["-o", "#{name}=#{value}"] }
      said, status = Open3.capture2e("apt-get", *options, *arguments, chdir: chdir)
      raise Broken, "apt-get #{arguments.join(" ")} failed:\n#{said.lines.last(6).join}" unless status.success?
    end
  end
end
