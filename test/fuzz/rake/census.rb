# frozen_string_literal: true

module RakeFuzz
  # Counts the cases by kind, verdict and feature. It shows that the generator is
  # useful: cases that all fail at once would prove nothing.
  class Census
    attr_reader :kinds, :verdicts, :features

    def initialize
      @kinds = Hash.new(0)
      @verdicts = Hash.new(0)
      @features = Hash.new(0)
    end

    def add(kase, judgement)
      @kinds[kind(judgement.stock)] += 1
      @verdicts[judgement.verdict] += 1
      kase.features.each { |feature| @features[feature] += 1 }
    end

    def merge(other)
      %i[kinds verdicts features].each do |name|
        public_send(name).merge!(other.public_send(name)) { |_, one, two| one + two }
      end
      self
    end

    def to_s
      total = @kinds.values.sum
      @kinds.sort_by { |_, count| -count }.map do |kind, count|
        format("%6d  %4.1f %%  %s\n", count, 100.0 * count / total, kind)
      end.join
    end

    private

    def kind(outcome)
      return "died: #{outcome[:died]}" if outcome[:died]

      actions = actions(outcome[:journal].count { |event| event.start_with?("act ") })
      outcome[:status].nil? ? actions : "#{failure(outcome)}, #{actions}"
    end

    def actions(count)
      case count
      when 0 then "no action"
      when 1..3 then "1 to 3 actions"
      when 4..10 then "4 to 10 actions"
      else "more than 10 actions"
      end
    end

    def failure(outcome)
      name, message, = outcome[:error]
      return "exit #{outcome[:status]}" unless name

      name == "RuntimeError" ? message.to_s[/\A[A-Z][a-z']+(?: [a-z']+){0,4}/] || "RuntimeError" : name
    end
  end
end
