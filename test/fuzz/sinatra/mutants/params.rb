# frozen_string_literal: true

# The params of the route that raised an error are not kept for the error block.
Sinatra::Base.class_eval do
  alias_method :unchanged, :process_route
  def process_route(*arguments)
    unchanged(*arguments) { |*args| yield(*args) }
  ensure
    @env.delete("sinatra.error.params") unless $!.nil? || @env["sinatra.error.params"].nil?
  end
  private :unchanged, :process_route
end
