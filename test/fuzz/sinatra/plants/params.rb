# frozen_string_literal: true

# What was matched where an error was raised is not kept for its block.
Sinatra::Base.class_eval do
  alias_method :planted, :process_route
  def process_route(*arguments)
    planted(*arguments) { |*args| yield(*args) }
  ensure
    @env.delete("sinatra.error.params") unless $!.nil? || @env["sinatra.error.params"].nil?
  end
  private :planted, :process_route
end
