# frozen_string_literal: true

Post = Struct.new(:id, :title) do
  def self.all = (1..20).map { |id| new(id.to_s, "Post #{id}") }
  def self.find(id) = all.find { |post| post.id == id } || raise(Post::Missing, id)
end
Post::Missing = Class.new(StandardError)
