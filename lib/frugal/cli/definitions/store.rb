# frozen_string_literal: true

Frugal::CLI::Definition.define("store") do
  summary "inspect, check, convert or compact a Frugal::Store or PStore file"
  usage "stats|verify|dump|compact FILE"
  usage "convert FILE TO [--engine NAME] [--serializer NAME] [--force]"
  description <<~TEXT
    Works on the files of Frugal::Store and of PStore, which have the same format, but not on those of YAML::Store.
    The first bytes of FILE determine its kind. For stats, verify and dump, FILE may be the URL of a store on a
    Redis server: redis://HOST:PORT/DB?store=NAME.
  TEXT
  example "frugal store stats app.store", "number of roots, and the largest ones"
  example "frugal store verify app.store", "whether every root can be read"
  example "frugal store dump app.store | head", "each root as a line of JSON"
  example "frugal store convert app.store app.sqlite", "for more than 1 MB or 20,000 roots"
  example "frugal store convert app.store app.json", "to read it, or to leave Ruby"
  example "frugal store compact app.store", "frees the space of deleted roots"

  section "convert"
  option "--engine NAME", "engine of the new store: file or sqlite (default: by the name: sqlite for .db, " \
                          ".sqlite and .sqlite3, otherwise file)", values: %w[file sqlite]
  option "--serializer NAME", "marshal, json or messagepack (default: by the name, .json or .msgpack, otherwise " \
                              "as FILE)", values: %w[marshal json messagepack]
  option "--force", "replace TO if it exists"

  section "all"
  option "--json", "print one JSON object, or one for each line. A name that is not valid UTF-8 has its bytes in " \
                   '"base64" ("from_base64", "to_base64")'
  option "-r", "--require LIB", "load the classes of the objects in a Marshal file from LIB", repeat: true

  note <<~TEXT
    `convert` creates the new store completely or not at all, and does not change FILE. No other process can write
    to FILE meanwhile. Change other programs to use the new name afterwards.

    Marshal creates objects of any class that the file names: use `dump` and `convert` only for files that you
    trust. With the C engine, `stats` and `verify` create no objects unless they have to.
  TEXT
  exit_status 0 => "success", 1 => "FILE is damaged, or something in it cannot be converted", 2 => "wrong usage"
  operands %w[stats verify dump compact convert], :file
  next_step "frugal store stats FILE"
end
