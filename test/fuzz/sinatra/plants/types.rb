# frozen_string_literal: true

# A content type that a route has set before it passed is not taken back.
Sinatra::Base.class_eval do
  alias_method :planted, :frugal_route
  def frugal_route(*arguments)
    response.define_singleton_method(:delete_header) { |_name| nil }
    planted(*arguments)
  ensure
    response.singleton_class.send(:remove_method, :delete_header)
  end
  private :planted, :frugal_route
end
