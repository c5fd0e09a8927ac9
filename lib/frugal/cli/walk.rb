# frozen_string_literal: true

require_relative "arguments"
require_relative "paint"
require_relative "mistake"
require_relative "../../frugal"
require_relative "../walk/disk_usage"
%w[names progress output text json_lines lister].each { |file| require_relative "walk/#{file}" }

module Frugal
  module CLI
    # Words of <tt>frugal walk</tt>; {Frugal::Walk} reads the directories.
    module Walk
      SUMMARY = "list what is below a directory, in parallel and in order"
      HELP = <<~TEXT
        usage: frugal walk [options] [DIR…]

        Lists all that is below each DIR, or below this directory: a directory before
        what is in it, siblings in byte order, the same at every run.

          frugal walk                        all but hidden files
          frugal walk src --ext c,h          C sources and headers
          frugal walk --prune node_modules   listed, but not entered
          frugal walk --du --hidden          which directories are large: the last ones
          frugal walk --count /usr           how many there are
          frugal walk -0 --ext log | xargs -0 gzip
          frugal walk --no-sort / | head     begins before the walk has ended

        what is listed:
              --hidden       names that begin with a dot, too
              --ext A,B      only names that end in .A or .B
              --glob GLOB    only what this glob finds below DIR, as '**/test_*.rb' or
                             '*/*'; may be given several times
              --prune NAME   directories of this name, or glob, are listed but not
                             entered; may be given several times
              --gitignore    without what git ignores: by the .gitignore of each directory,
                             those above DIR and .git/info/exclude; and without .git
              --follow=paths enters links to directories, but no directory below itself
              --follow=once  the same, but each directory once: by its real path if it
                             has one below DIR; links not entered are listed

        how it is shown:
              --stat         modification time and size in bytes before each path; a
                             link's own, unless it is followed
              --count        only how many paths there are
              --du           the bytes below each directory that has any, largest last:
                             the sizes of what is listed (as ls -l tells them, so not
                             blocks); a file with two names counts twice, and one below
                             links once for each path
          -0, --null         a NUL byte ends each line: for names with line breaks
              --json         JSON lines, one object each: {"path":"a.c"}; "mtime" (UTC)
                             and "size" with --stat, "count" with --count, "bytes" with
                             --du, whose last line is {"total":…,"paths":…}. A name that
                             is no UTF-8 has its bytes in "base64"
              --no-sort      as the directories come; begins at once. --stat, --count,
                             --du and --follow=once answer when all is known

        Names are written as the bytes that they are; on a terminal those that hold line
        breaks, other control characters or broken bytes are quoted as $'a\\nb'.

        What cannot be read is told on stderr, and the rest is listed.
        Exit status: 0 all was read; 1 something was not; 2 wrong usage.

        next: frugal walk --du
      TEXT

      # Which of these was asked for; at most one.
      MODES = { "--stat" => :stats, "--count" => :counts, "--du" => :usage }.freeze

      class << self
        # @param argv [Array<String>] options and directories
        # @return [Integer] exit status
        def run(argv)
          form = { modes: [] }
          options = {}
          roots = parser(form, options).parse(argv)
          return help if form[:help]

          check(form)
          list(roots.empty? ? ["."] : roots, options, form)
        rescue Arguments::ParseError, UsageError => error
          Mistake.tell(Mistake.words(error), "next: frugal walk --help", status: 2, command: "walk")
        rescue Output::Left
          0
        rescue Interrupt
          die_of_interrupt
        end

        # @param error [SystemCallError, IOError]
        # @return [String] what the system says, without Ruby's words around it
        def reason(error)
          error.is_a?(SystemCallError) ? SystemCallError.new(nil, error.errno).message : error.message
        end

        private

        def parser(form, options)
          Arguments.new do |parser|
            parser.on("--hidden") { options[:hidden] = true }
            parser.on("--ext NAMES", Array) { |names| (options[:ext] ||= []).concat(endings(names)) }
            parser.on("--glob GLOB") { |glob| (options[:glob] ||= []) << glob }
            parser.on("--prune NAME") { |name| (options[:prune] ||= []) << name }
            parser.on("--gitignore") { options[:gitignore] = true }
            parser.on("--follow HOW") { |how| options[:follow] = follow(how) }
            parser.on("--[no-]sort") { |wanted| options[:sort] = wanted }
            MODES.each { |name, mode| parser.on(name) { form[:modes] |= [mode] } }
            parser.on("-0", "--null") { form[:null] = true }
            parser.on("--json") { form[:json] = true }
            parser.on("-h", "--help") { form[:help] = true }
          end
        end

        def endings(names)
          return names unless names.empty? || names.include?("")

          raise UsageError, "--ext: an ending is missing; --ext rb,c lists what ends in .rb or .c"
        end

        def follow(how)
          return how.to_sym if %w[paths once].include?(how)

          raise UsageError, "--follow: it is paths or once, not #{how}"
        end

        def check(form)
          asked = MODES.select { |_, mode| form[:modes].include?(mode) }.keys
          raise UsageError, "#{asked.join(" and ")} at once: choose one" if asked.size > 1
          raise UsageError, "-0 and --json at once: JSON lines end in line breaks, which no name in them holds" if form[:null] && form[:json]
        end

        def list(roots, options, form)
          lister = Lister.new(roots, options, **form.slice(:null, :json))
          lister.run(form[:modes].first || :paths) ? 0 : 1
        end

        def help
          $stdout.write(HELP)
          0
        end

        # By the signal itself, so that a shell's loop ends too; it shows 130.
        def die_of_interrupt
          trap(:INT, "SYSTEM_DEFAULT")
          Process.kill(:INT, Process.pid)
          sleep
        end
      end
    end
  end
end
