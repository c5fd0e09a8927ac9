# frozen_string_literal: true

require_relative "tools"
require_relative "workflows"

# The checks of `rake lint`. They do not need git: they read the files in the folders.
#
#   Lint.new(:rubocop).problems   # => [], or one line for each problem
class Lint
  CHECKS = %i[rubocop clang_format workflows].freeze
  C_FILES = %w[ext/**/*.[ch] test/core/**/*.[ch]].freeze

  attr_reader :name

  # @return [Array<Lint>]
  def self.all = CHECKS.map { |name| new(name) }

  def initialize(name)
    @name = name
  end

  # @return [Array<String>] one line for each problem
  # @raise [Tools::Missing] if the program is not installed
  def problems = send(@name)

  # @return [String, nil] why a part of the check was skipped: an optional program is missing
  attr_reader :note

  def to_s = @name.to_s.tr("_", "-")

  private

  def rubocop
    outcome = Tools.run_gem("rubocop", "--format", "clang", "--no-color")
    return [] if outcome.success?

    outcome.lines.grep(/\A\S.*:\d+:\d+: [A-Z]: /).then { |offences| offences.empty? ? outcome.lines : offences }
  end

  def clang_format
    files = C_FILES.flat_map { |pattern| Dir.glob(pattern, base: Tools::ROOT) }
    outcome = Tools.run_clang_format("--dry-run", "--Werror", "--style=file", *files)
    return [] if outcome.success?

    outcome.lines.grep(/-Wclang-format-violations/).then { |found| found.empty? ? outcome.lines : found }
  end

  def workflows
    own = Workflow.problems(Tools::ROOT)
    outcome = Tools.run_actionlint(*Workflow.files(Tools::ROOT).map { |file| file.delete_prefix("#{Tools::ROOT}/") })
    own + (outcome.success? ? [] : outcome.lines)
  rescue Tools::Missing => e
    @note = e.message
    own
  end
end
