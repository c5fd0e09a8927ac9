# frozen_string_literal: true

# uses: shells

require "pty"
require_relative "../test_helper"
require_relative "../../rakelib/lib/cli_files"

module CompletionsTests
  # Man pages and completions are generated from the definitions of the commands, and committed.
  class FilesTest < Frugal::TestCase
    def test_generated_files_are_up_to_date
      Frugal::CLIFiles.all.each do |path, text|
        assert_equal text, File.read(File.join(ROOT, path)), "#{path}: rake cli"
      end
      assert_equal Dir.glob("{man/man1,completions,libexec/help}/*", base: ROOT).sort, Frugal::CLIFiles.all.keys.sort
    end

    def test_man_pages_have_no_warnings
      checkers = [%w[mandoc -T lint -W warning], %w[groff -ww -man -Tutf8 -z]].select { |name, *| installed?(name) }
      skip "mandoc and groff are not installed: bin/setup --shells" if checkers.empty?

      checkers.product(man_pages).each do |checker, page|
        result = run_command(*checker, page)
        assert_equal ["", "", 0], [result.out, result.err, result.exitstatus], "#{checker.first}: #{page}"
      end
    end

    def test_a_man_page_names_every_option_and_example
      skip "mandoc is not installed: bin/setup --shells" unless installed?("mandoc")

      Frugal::CLIFiles::Pages.definitions.each do |definition|
        page = "man/man1/frugal-#{definition.name.tr(" ", "-")}.1"
        text = run_command("mandoc", "-T", "utf8", "-O", "width=200", File.join(ROOT, page)).out.gsub(/.\x08/, "")
        [*definition.options.flat_map(&:flags), *definition.examples.map(&:first), definition.summary.delete("`"),
         *definition.exit_status.values].each { |words| assert_includes text, words, page }
      end
    end

    def test_the_command_prints_them
      Frugal::CLI::Completions::FILES.each do |shell, file|
        printed = run_command("#{ROOT}/bin/frugal", "completions", shell).out
        assert_equal File.read("#{ROOT}/completions/#{file}"), printed
      end
      { [] => "the shell must be bash, zsh or fish (got none)",
        %w[tcsh] => "the shell must be bash, zsh or fish (got tcsh)", %w[bash zsh] => "unexpected argument: zsh" }.each do |words, message|
        result = run_command("#{ROOT}/bin/frugal", "completions", *words)
        expected = "frugal: completions: #{message}\nfrugal: next: frugal completions --help\n"
        assert_equal [2, "", expected], [result.exitstatus, result.out, result.err]
      end
    end

    private

    def installed?(name) = ENV["PATH"].split(":").any? { |folder| File.executable?(File.join(folder, name)) }

    def man_pages = Dir.glob("#{ROOT}/man/man1/*.1")
  end

  # What a shell completes. A subclass has SHELL, and `complete`, which returns the completions of the last word.
  module Cases
    COMMANDS = %w[bench budget compare completions demo doctor help profile run store version walk].freeze

    def setup
      skip "#{self.class::SHELL} is not installed: bin/setup --shells" unless which(self.class::SHELL)
      %w[notes/a.txt other].each { |name| write(name) }
      write("bin/rake-like", "#!/bin/sh\n").then { |file| File.chmod(0o755, file) }
    end

    def test_commands
      assert_equal COMMANDS, complete("frugal ") - %w[--help --version]
      assert_equal %w[walk], complete("frugal wa")
      assert_equal COMMANDS, complete("frugal help ")
      assert_equal %w[bash fish zsh], complete("frugal completions ")
      assert_empty complete("frugal zebra --")
    end

    def test_options_of_every_command
      Frugal::CLIFiles::Pages.definitions.each do |definition|
        next if definition.name == "bench"

        long = definition.options.flat_map(&:flags).grep(/\A--/)
        assert_equal [*long, "--help"].sort, complete("frugal #{definition.name} --").sort, definition.name
      end
    end

    def test_values
      assert_equal %w[once paths], complete("frugal walk --follow ")
      assert_equal %w[example file process route], complete("frugal profile --by ")
      assert_equal %w[drop files no], complete("frugal bench probes --cold ")
      assert_equal %w[json marshal messagepack], complete("frugal store convert a b --serializer ")
      assert_empty complete("frugal walk --glob ")
    end

    def test_lists
      assert_equal %w[dir], last_parts(complete("frugal run --only rake,di"))
      assert_equal %w[file_update_checker fileutils find], last_parts(complete("frugal compare --except fi"))
      assert_equal %w[p10000 p50000 patterns], last_parts(complete("frugal bench rake --only p") - ["pathmap"])
    end

    def test_operands
      assert_equal %w[compact convert dump stats verify], complete("frugal store ")
      assert_equal %w[other], complete("frugal store stats oth")
      assert_equal %w[notes], names(complete("frugal walk --hidden no"))
      assert_equal %w[other], complete("frugal compare --json oth")
      assert_equal %w[errors links probes profile pstore rails rake real sessions startup waits], complete("frugal bench ")
      assert_empty complete("frugal walk oth"), "only folders"
    end

    def test_a_command_line_after_run
      assert_equal %w[rake-like], complete("frugal run -- rake-l")
      assert_equal %w[rake-like], complete("frugal compare -n 3 --only rake rake-l")
      assert_equal %w[rake-like], complete("frugal budget --max-stats 3 --file other rake-l")
      assert_equal %w[other], complete("frugal run --only rake -- cat oth")
      refute_includes complete("frugal run -- cat --on"), "--only"
    end

    private

    def which(name) = ENV["PATH"].split(":").any? { |folder| File.executable?(File.join(folder, name)) }

    def environment = { "PATH" => "#{path("bin")}:#{ENV["PATH"]}", "HOME" => tree, "TERM" => "dumb", "RUBYOPT" => nil }

    def script(name) = File.join(self.class::ROOT, "completions", name)

    # Shells replace the whole list or its last part.
    def last_parts(completions) = completions.map { |one| one[/[^,]+\z/] || one }

    def names(completions) = completions.map { |one| one.delete_suffix("/") }
  end

  class BashTest < Frugal::TestCase
    include Cases

    SHELL = "bash"
    CALL = <<~'BASH'
      source "$1"; shift
      eval "$1"
      _frugal
      printf '%s\n' "${COMPREPLY[@]}"
    BASH

    # bash splits words at "=", and replaces what follows it.
    def test_a_value_after_an_equals_sign
      assert_equal %w[once paths], call(%w[frugal walk --follow =])
      assert_equal %w[once], call(%w[frugal walk --follow = o])
      assert_equal %w[--follow=once], call(%w[frugal walk --follow=o], "COMP_WORDBREAKS=' '")
      assert_equal %w[other], call(%w[frugal compare --json = oth])
    end

    def test_in_an_interactive_shell
      assert_equal "frugal walk --follow=once other-end", type("frugal walk --follow=o\tother-end")
      assert_equal "frugal walk --gitignore notes/", type("frugal walk --giti\tno\t")
      assert_equal "frugal run --only=rake,sprockets -- cat other ", type("frugal run --only=rake,sp\t -- cat oth\t")
    end

    private

    def complete(line) = call(line.split(" ", -1))

    def call(words, before = "")
      line = "#{before}\nCOMP_WORDS=(#{words.map { |word| "'#{word}'" }.join(" ")}); COMP_CWORD=#{words.size - 1}"
      words = ["bash", "--norc", "--noprofile", "-c", CALL, "bash", script("frugal.bash"), line]
      result = run_command(*words, chdir: tree, env: environment)
      assert_equal "", result.err
      result.out.split("\n").uniq.sort
    end

    # @return [String] the line that has been typed, as readline completed it
    def type(keys)
      setup = %(PS1=; bind 'set enable-bracketed-paste off'; ) +
              %(report() { printf '<<%s>>' "$READLINE_LINE"; READLINE_LINE=; }; ) +
              %(bind -x '"\\C-g": report'; source '#{script("frugal.bash")}')
      PTY.spawn(environment, "bash", "--norc", "--noprofile", chdir: tree) do |output, input, pid|
        input.puts(setup)
        input.write("#{keys}\a")
        line = read_until(output, />>/)[/.*<<(?!%s)(.*)>>/m, 1]
        Process.kill(:KILL, pid)
        return line
      end
    end

    def read_until(output, pattern)
      text = +""
      text << output.readpartial(1000) until text.gsub("<<%s>>", "").match?(pattern)
      text
    end
  end

  class ZshTest < Frugal::TestCase
    include Cases

    SHELL = "zsh"
    # Prints the matches of a completion in place of a menu.
    SETUP = <<~'ZSH'
      PS1=; unset zle_bracketed_paste; autoload -U compinit; compinit -u -D; source "$FRUGAL_COMPLETIONS"
      typeset -a found
      compadd() { local -a hits; builtin compadd -O hits "$@"; found+=("${hits[@]}"); builtin compadd "$@" }
      report() { print -r -- "<""<${(j:|:)found}>"">"; found=(); BUFFER= }
      zle -N report; bindkey '^G' report; setopt no_list_beep; print "rea""dy"
    ZSH

    def teardown
      Process.kill(:KILL, @pid) if @pid
      super
    end

    # Without sourcing it, from a folder in fpath.
    def test_from_a_folder_in_fpath
      script = %(fpath=("#{ROOT}/completions" $fpath); autoload -U compinit; compinit -u -D; print $_comps[frugal])
      assert_equal "_frugal\n", run_command("zsh", "-f", "-c", script, env: environment).out
    end

    private

    def complete(line)
      start unless @input
      @input.write("#{line}\t\a")
      text = read_until(/<<.*>>/m)
      text[/<<(.*)>>/m, 1].split("|").map { |one| one.delete_suffix("=") }.uniq.sort
    end

    def start
      variables = { **environment, "FRUGAL_COMPLETIONS" => script("_frugal") }
      @output, @input, @pid = PTY.spawn(variables, "zsh", "-f", chdir: tree)
      @input.write(SETUP)
      read_until(/^ready/)
    end

    def read_until(pattern)
      text = +""
      text << @output.readpartial(10_000) until text.match?(pattern)
      text.force_encoding(Encoding::UTF_8)
    end
  end

  class FishTest < Frugal::TestCase
    include Cases

    SHELL = "fish"

    private

    def complete(line)
      script = "source $argv[1]; complete -C $argv[2]"
      words = ["fish", "--no-config", "-c", script, script("frugal.fish"), line]
      result = run_command(*words, chdir: tree, env: environment)
      assert_equal "", result.err
      result.out.lines.map { |one| one.chomp.split("\t").first }.uniq.sort
    end
  end
end
