# frozen_string_literal: true

# Methods of IO that call a block of the program while they read, that may wait for a child, or that exchange the file.
module Streams
  %w[each_line each each_char each_byte each_codepoint].each do |name|
    module_eval(<<~RUBY, __FILE__, __LINE__ + 1) # rubocop:disable Style/DocumentDynamicEvalDefinition -- the name only
      ruby2_keywords def #{name}(*args, &block)
        result = Waits::LOST
        begin
          noting = proc { |part| Waits.note; yield part } if block && Input.waits?(self)
          result = super(*args, &(noting || block))
        ensure
          Waits.finish(:lines, self, args, result, $!)
        end
      end
    RUBY
  end

  def close
    result = Waits::LOST
    begin
      child = Input.child?(self)
      result = super
    ensure
      Waits.finish(child ? :always : :never, self, [], result, $!)
    end
  end

  ruby2_keywords def reopen(*args)
    super
  ensure
    Exceptions.trim($!) if $!
    Input.reopened(self)
  end
end
