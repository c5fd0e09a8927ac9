# frozen_string_literal: true

Frugal::CLI::Definition.define("completions") do
  summary "print the completions for bash, zsh or fish"
  usage "bash|zsh|fish"
  description <<~TEXT
    Prints a script that makes the shell complete commands, options, their values and file names.
    Packages install these scripts from the folder `completions/`.
  TEXT
  example 'eval "$(frugal completions bash)"', "in ~/.bashrc"
  example 'frugal completions zsh >"${fpath[1]}/_frugal"', "once, then start a new zsh"
  example "frugal completions fish | source", "in ~/.config/fish/config.fish"
  exit_status 0 => "success", 2 => "wrong usage"
  operands %w[bash zsh fish]
  next_step 'eval "$(frugal completions bash)"'
end
