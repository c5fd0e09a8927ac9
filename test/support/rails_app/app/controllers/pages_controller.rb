# frozen_string_literal: true

# What is there.
class PagesController < ActionController::Base
  def index
    @title = "Hello"
    @items = (1..10).to_a
  end

  def absent = head(:not_found)
end
