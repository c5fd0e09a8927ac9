# frozen_string_literal: true

class PostsController < ActionController::Base
  layout "application"
  rescue_from(Post::Missing) { head :not_found }

  def index
    @posts = Post.all
  end

  def show
    @post = Rails.cache.fetch("post/#{params[:id]}") { Post.find(params[:id]) }
  end
end
