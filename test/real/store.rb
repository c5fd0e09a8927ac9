# frozen_string_literal: true

require "fileutils"
require "rbconfig"
require "tmpdir"
require_relative "gem_packages"

module Real
  # A project cannot run here. The message says what to do.
  class LeftOut < StandardError
  end

  # A step of the runner itself failed: an installation, a preparation.
  class Broken < StandardError
  end

  # The folders of one project in tmp/real, which are made on first use: its gems, the
  # pristine tree, and the path at which each run gets a fresh copy of it.
  class Store
    IN_CHECKOUT = File.expand_path("../../tmp/real", __dir__)
    # Some projects do not run in a path that has white space.
    ROOT = IN_CHECKOUT.match?(/\s/) ? File.join(Dir.tmpdir, "frugal-real-#{Process.uid}") : IN_CHECKOUT
    RUBY = File.join(ROOT, "#{RUBY_ENGINE}-#{RUBY_VERSION}") # gems are compiled for one version
    POOL = File.join(RUBY, "gems")
    # No options of the user; English and UTC. The home and the folder for temporary files are compared, too: the bytecode
    # that frugal keeps is in another one.
    STOCK = { "RUBYOPT" => nil, "RUBYLIB" => nil, "BUNDLE_GEMFILE" => nil, "BUNDLE_PATH" => nil,
              "BUNDLE_APP_CONFIG" => nil, "FRUGAL" => nil, "FRUGAL_ONLY" => nil, "FRUGAL_EXCEPT" => nil,
              "FRUGAL_ENGINE" => nil, "FRUGAL_VERBOSE" => nil,
              "XDG_CACHE_HOME" => nil, "XDG_CONFIG_HOME" => nil, "CI" => nil, "COVERAGE" => nil, "TESTOPTS" => nil,
              "LC_ALL" => "C.UTF-8", "TZ" => "UTC", "NO_COLOR" => "1", "SEED" => "7",
              "SOURCE_DATE_EPOCH" => nil }.freeze

    # @yieldparam line [String] a step that takes some time
    def initialize(project, &progress)
      @project = project
      @progress = progress
    end

    # Installs the gems of several projects at once.
    def self.install(projects, &progress)
      FileUtils.mkdir_p(ROOT)
      GemPackages.new(POOL, &progress).install(projects.flat_map(&:pinned))
    end

    def work = File.join(ROOT, "work", @project.name)
    def tree = File.join(work, "tree")
    def gems = File.join(home, "gems")
    def gem_folder(name) = Dir.glob("#{gems}/gems/#{name}-[0-9]*").first

    # @return [Hash{String => String, nil}] the environment of the project's commands
    def environment
      { **STOCK, "HOME" => "#{work}/home", "TMPDIR" => "#{work}/tmp", "GEM_HOME" => gems, "GEM_PATH" => gems,
                 "PATH" => "#{gems}/bin:#{ENV.fetch("PATH")}", "FRUGAL_BOOT" => File.join(RUBY, "boot"),
                 **@project.environment.transform_values { |value| fill(value) } }
    end

    # @return [Array<String>] the command, with its placeholders replaced (see {fill})
    def command = @project.command.map { |word| fill(word) }

    # Installs what is missing and makes the pristine tree.
    #
    # @raise [LeftOut, Broken]
    def provide
      missing = @project.needed.reject { |program| program?(program) }
      raise LeftOut, "needs #{missing.join(", ")}" if missing.any?

      checkout
      Store.install([@project], &@progress)
      build_pristine unless File.exist?(stamp) && File.read(stamp) == definition
    end

    # Copies the pristine tree to the path of all runs.
    def restore
      remove(work)
      FileUtils.mkdir_p(File.dirname(work))
      copy(pristine, work)
    end

    # Moves the tree of a run to a folder of its own, until the project is finished.
    #
    # @return [String] the new path of the tree
    def keep(name)
      kept = File.join(ROOT, "runs", @project.name, name)
      remove(kept)
      FileUtils.mkdir_p(File.dirname(kept))
      File.rename(work, kept)
      kept
    end

    def remove_runs = [work, File.join(ROOT, "runs", @project.name)].each { |folder| remove(folder) }

    private

    def home = File.join(RUBY, "projects", @project.name)
    def pristine = File.join(home, "pristine")
    def stamp = File.join(home, "definition")

    # The tree is made again when this text changes.
    def definition
      [@project.origin, @project.pinned, @project.files, @project.preparations, @project.environment, folder_stamp,
       checkout].inspect
    end

    def folder_stamp
      folder = @project.origin[:folder] or return
      Dir.glob("#{Corpus::FOLDER}/#{folder}/**/*").map { |file| [file, File.mtime(file).to_r] }
    end

    # Makes the tree at the path of the runs, since a preparation may write that path into a file.
    def build_pristine
      [work, home].each { |path| remove(path) }
      GemPackages.new(POOL).view(gems, @project.pinned)
      %w[home tmp].each { |name| FileUtils.mkdir_p(File.join(work, name)) }
      copy_origin
      @project.files.each do |name, content|
        file = File.join(tree, name)
        FileUtils.mkdir_p(File.dirname(file))
        File.write(file, fill(content))
      end
      @project.preparations.each { |command| run_preparation(command.map { |word| fill(word) }) }
      File.rename(work, pristine)
      File.write(stamp, definition)
    end

    def copy_origin
      if @project.origin[:checkout] then copy("#{checkout}/.", tree)
      elsif @project.origin[:gem] then copy("#{gem_folder(@project.origin[:gem])}/.", tree)
      elsif @project.origin[:folder] then copy(File.join(Corpus::FOLDER, @project.origin[:folder]), tree)
      else FileUtils.mkdir_p(tree)
      end
    end

    # The folder of a program that is not in a gem.
    def checkout
      variable = @project.origin[:checkout] or return
      folder = ENV[variable].to_s
      raise LeftOut, "not in a gem: set #{variable} to a checkout, such as ~/src/#{@project.name}" if folder.empty?
      raise LeftOut, "#{variable}=#{folder}: no such folder" unless File.directory?(folder)

      File.expand_path(folder)
    end

    def run_preparation(command)
      @progress.call("preparing the tree: #{command.join(" ")}")
      log = File.join(ROOT, "install.log")
      return if system(environment, *command, chdir: tree, in: File::NULL, out: [log, "w"], err: %i[child out])

      raise Broken, "the preparation failed: #{command.join(" ")}\n#{File.readlines(log).last(10).join}"
    end

    # Replaces placeholders: %{tree}, %{home} and %{gem:NAME} are folders, %{libraries} those of all gems.
    def fill(text)
      # rubocop:disable-next Lint/RedundantDirGlobSort -- glob sorts each alternative of the braces alone
      text = text.gsub("%{libraries}") { Dir.glob("#{gems}/gems/*/{lib,lib/concurrent-ruby}").sort.join(":") }
      text.gsub("%{tree}", tree).gsub("%{home}", "#{work}/home").gsub(/%\{gem:([\w-]+)\}/) { gem_folder($1) }
    end

    def program?(name) = ENV.fetch("PATH").split(":").any? { |folder| File.executable?(File.join(folder, name)) }

    # Uses cp and rm, which no drop-in replaces, and which keep times, links and modes.
    def copy(from, to)
      system("cp", "-a", from, to) or raise Broken, "cp -a #{from} #{to} failed"
    end

    def remove(path)
      return unless File.exist?(path) || File.symlink?(path)

      system("chmod", "-R", "u+rwx", path, err: File::NULL)
      system("rm", "-rf", path) or raise Broken, "rm -rf #{path} failed"
    end
  end
end
