# frozen_string_literal: true

require_relative "../test_helper"

class PostsTest < ActionDispatch::IntegrationTest
  test "all posts are listed" do
    get "/posts"
    assert_response :success
    assert_select "li", 20
  end

  test "a post comes from the cache the second time" do
    2.times { get "/posts/3" }
    assert_select "h1", "Post 3"
    assert Rails.cache.exist?("post/3")
  end

  test "a missing page is a 404" do
    get "/posts/none"
    assert_response :not_found
    get "/nowhere"
    assert_response :not_found
  end

  test "the cache deletes matching entries" do
    Rails.cache.write("post/x1", 1)
    Rails.cache.delete_matched(/x1/)
    assert_nil Rails.cache.read("post/x1")
  end
end
