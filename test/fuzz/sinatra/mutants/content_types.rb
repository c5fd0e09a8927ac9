# frozen_string_literal: true

# The content type that a route has set before it passed is not removed.
Sinatra::Base.class_eval do
  alias_method :unchanged, :frugal_try_routes
  def frugal_try_routes(*arguments)
    response.define_singleton_method(:delete_header) { |_name| nil }
    unchanged(*arguments)
  ensure
    response.singleton_class.send(:remove_method, :delete_header)
  end
  private :unchanged, :frugal_try_routes
end
