# frozen_string_literal: true

require "psych"

# Checks the files of GitHub's workflows without a network: that they are YAML, that GitHub supports every key,
# and that every job, column of a matrix and output of a step that is used is also defined.
#
#   Workflow.new(".github/workflows/test.yml").problems   # => []
class Workflow
  KEYS = %w[name run-name on permissions env defaults concurrency jobs].freeze
  JOB_KEYS = %w[name permissions needs if runs-on environment concurrency outputs env defaults steps timeout-minutes
                strategy continue-on-error container services uses with secrets].freeze
  STEP_KEYS = %w[id if name uses run working-directory shell with env continue-on-error timeout-minutes].freeze
  STRATEGY_KEYS = %w[matrix fail-fast max-parallel].freeze
  EVENTS = %w[push pull_request schedule workflow_dispatch workflow_call release].freeze
  PINNED = %r{\A(?:\.{1,2}/.*|[\w.-]+/[\w./-]+@(?:v\d+(?:\.\d+)*|\h{40}))\z}

  # @return [Array<String>] what is wrong in all of them
  def self.problems(root) = files(root).flat_map { |file| new(file).problems }

  # @return [Array<String>]
  def self.files(root) = Dir.glob("#{root}/.github/workflows/*.{yml,yaml}")

  def initialize(file)
    @file = file
    @problems = []
  end

  # @return [Array<String>] "file: what is wrong"
  def problems
    document = Psych.safe_load_file(@file)
    return ["#{name}: is not a mapping"] unless document.is_a?(Hash)

    # YAML 1.1 reads the key `on` as true.
    @document = document.transform_keys { |key| key == true ? "on" : key }
    check_top
    jobs.each { |id, job| check_job(id, job) }
    @problems
  rescue Psych::Exception => e
    ["#{name}: #{e.message}"]
  end

  private

  def name = File.basename(@file)

  def jobs = @document["jobs"].is_a?(Hash) ? @document["jobs"] : {}

  def check_top
    unknown("the top level", @document, KEYS)
    %w[on jobs].each { |key| problem("#{key} is missing") unless @document[key] }
    problem("permissions is missing: the token may do as little as possible") unless @document["permissions"]
    events = @document["on"]
    events = events.is_a?(Hash) ? events.keys : Array(events)
    (events - EVENTS).each { |event| problem("unknown event #{event}") }
  end

  def check_job(id, job)
    unknown("job #{id}", job, JOB_KEYS)
    (Array(job["needs"]) - jobs.keys).each { |other| problem("job #{id} needs #{other}, which is not a job") }
    return check_uses("job #{id}", job["uses"]) if job["uses"]

    problem("job #{id} has no runs-on") unless job["runs-on"]
    problem("job #{id} has no timeout-minutes") unless job["timeout-minutes"]
    check_matrix(id, job)
    steps = job["steps"]
    return problem("job #{id} has no steps") unless steps.is_a?(Array) && steps.any?

    steps.each.with_index(1) { |step, number| check_step("step #{number} of job #{id}", step) }
    check_step_ids(id, job)
  end

  def check_step(where, step)
    unknown(where, step, STEP_KEYS)
    problem("#{where} needs either uses or run") if step.key?("uses") == step.key?("run")
    check_uses(where, step["uses"]) if step["uses"]
  end

  def check_uses(where, action)
    problem("#{where}: #{action} is not pinned to a version") unless PINNED.match?(action)
  end

  def check_matrix(id, job)
    strategy = job["strategy"] || {}
    unknown("the strategy of job #{id}", strategy, STRATEGY_KEYS)
    matrix = strategy["matrix"] || {}
    return unless matrix.is_a?(Hash) # else an expression makes it

    columns = matrix.keys + Array(matrix["include"]).flat_map(&:keys)
    (used("matrix", job) - columns).each { |column| problem("job #{id} uses matrix.#{column}, which its matrix lacks") }
  end

  def check_step_ids(id, job)
    (used("steps", job) - job["steps"].filter_map { |step| step["id"] }).each do |step|
      problem("job #{id} uses steps.#{step}, which is not the id of a step")
    end
    (used("needs", job) - Array(job["needs"])).each do |other|
      problem("job #{id} uses needs.#{other} and does not need it")
    end
  end

  # @return [Array<String>] the name x of each context.x in an expression
  def used(context, job)
    texts(job).flat_map { |text| text.scan(/\$\{\{.*?\}\}/m) }
              .flat_map { |expression| expression.scan(/\b#{context}\.([\w-]+)/) }.flatten.uniq
  end

  def texts(value)
    case value
    when Hash then value.values.flat_map { |inner| texts(inner) }
    when Array then value.flat_map { |inner| texts(inner) }
    else [value.to_s]
    end
  end

  def unknown(where, mapping, keys)
    return problem("#{where} is not a mapping") unless mapping.is_a?(Hash)

    (mapping.keys - keys).each { |key| problem("#{where} has the unknown key #{key}") }
  end

  def problem(text)
    @problems << "#{name}: #{text}"
  end
end
