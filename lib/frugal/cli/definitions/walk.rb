# frozen_string_literal: true

Frugal::CLI::Definition.define("walk") do
  summary "list everything below a directory, in parallel and in order"
  usage "[options] [DIR...]"
  description <<~TEXT
    Lists everything below each DIR, or below the current directory. A directory comes before its contents,
    and siblings are in byte order, so that the output is the same at every run.
  TEXT
  example "frugal walk", "all files that are not hidden"
  example "frugal walk src --ext c,h", "C sources and headers"
  example "frugal walk --prune node_modules", "listed, but not entered"
  example "frugal walk --du --hidden", "the largest directories are the last ones"
  example "frugal walk --count /usr", "the number of paths"
  example "frugal walk -0 --ext log | xargs -0 gzip"
  example "frugal walk --no-sort / | head", "begins before the walk has ended"

  section "what is listed"
  option "--hidden", "also names that begin with a dot"
  option "--ext A,B", Array, "only names that end in .A or .B", repeat: true
  option "--glob GLOB", "only paths that match this glob below DIR, such as '**/test_*.rb' or '*/*'; may be " \
                        "given several times", repeat: true
  option "--prune NAME", "directories with this name, or matching this glob, are listed but not entered; may be " \
                         "given several times", repeat: true
  option "--gitignore", "omit what git ignores, according to the .gitignore of each directory, those above DIR " \
                        "and .git/info/exclude; also omit .git"
  option "--follow HOW", "how to follow links to directories", values: {
    "paths" => "enter links to directories, but no directory below itself",
    "once" => "the same, but enter each directory only once: by its real path if that is below DIR; links that " \
              "are not entered are listed"
  }

  section "how it is shown"
  option "--stat", "modification time and size in bytes before each path; for a link its own, unless it is followed"
  option "--count", "only the number of paths"
  option "--du", "the bytes below each directory that has any, the largest last: the sum of the sizes of what is " \
                 "listed (as in ls -l, so not blocks); a file with two names counts twice, and a file below " \
                 "followed links counts once for each path"
  option "-0", "--null", "end each line with a NUL byte: for names that contain line breaks"
  option "--json", 'JSON lines, one object each: {"path":"a.c"}; with "mtime" (UTC) and "size" for --stat, ' \
                   '"count" for --count, "bytes" for --du, whose last line is {"total":...,"paths":...}. A name ' \
                   'that is not valid UTF-8 has its bytes in "base64"'
  option "--[no-]sort", "in the order in which directories are read; begins at once. --stat, --count, --du and " \
                        "--follow=once print nothing before the walk has ended"

  note <<~'TEXT'
    Names are written as the bytes that they are. On a terminal, names that contain line breaks, other control
    characters or invalid bytes are quoted as $'a\nb'.

    What cannot be read is reported on stderr, and the rest is listed.
  TEXT
  exit_status 0 => "everything was read", 1 => "something could not be read", 2 => "wrong usage"
  operands :directory
  next_step "frugal walk --du"
end
