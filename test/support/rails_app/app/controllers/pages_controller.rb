# frozen_string_literal: true

# Has the actions that succeed.
class PagesController < ActionController::Base
  def index
    @title = "Hello"
    @items = (1..10).to_a
  end

  def absent = head(:not_found)
end
