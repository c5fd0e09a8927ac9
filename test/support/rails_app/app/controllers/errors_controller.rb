# frozen_string_literal: true

# Has an action for each way in which a request can fail.
class ErrorsController < ActionController::Base
  FROZEN = Gone.new("frozen").freeze

  rescue_from(Handled) { |error| render plain: "handled #{error.message}", status: :gone }
  rescue_from(Reraised) { |error| raise Gone, "instead of #{error.message}" }
  around_action(only: :around) { |_, action| action.call.then { raise "after" } }
  around_action(only: :around_ensure) do |_, action|
    action.call
  ensure
    response.headers["X-Around"] = "ran"
  end
  around_action(only: :around_rescue) do |_, action|
    action.call
  rescue Gone => e
    raise ArgumentError, "translated #{e.message}"
  end
  around_action(only: :transaction) { |_, action| Item.transaction(&action) }
  after_action(only: :after) { raise Gone, "after the action" }
  before_action(only: :halted) { head :forbidden }
  protect_from_forgery with: :exception, only: :forgery

  def gone = deeper(params[:depth].to_i)
  def missing_method = undefined_helper.text
  def missing_on_nil = nil.upcase_it
  def key = { apple: 1 }.fetch(:appel)
  def constant = Itm
  def record = Item.find(77)
  def record_in_block = [1].each { |id| Item.find_by!(name: "none #{id}") }
  def handled = raise(Handled, "politely")
  def handled_cause = deeper(0, Handled.new("cause")) { |cause| raise ArgumentError, "outer", cause: cause }
  def reraised = raise(Reraised, "first")
  def caused = deeper(0, KeyError.new("inner")) { |cause| raise Gone, "outer", cause: cause }
  def around = head(:ok)
  def around_ensure = raise(Gone, "in an around")
  def around_rescue = raise(Gone, "in an around")
  def after = head(:ok)
  def halted = head(:ok)
  def forgery = head(:ok)
  def template_500 = nil
  def template_404 = nil
  def partial = nil
  def syntax = nil
  def no_template = nil
  def two_renders = 2.times { head :ok }
  def script_error = raise(NotImplementedError, "not a StandardError")
  def fatal = raise(Fatal, "neither")
  def own_exception = raise(Copying, "a copy")
  def bad_message = raise(BadMessage)
  def nil_message = raise(NilMessage)
  def denying = raise(Denying, "no error at all")
  def latin1 = raise(Gone, "caf\xE9 \xFF")
  def lines = raise(Gone, "one\ntwo\e[31m")
  def frozen = raise(FROZEN)
  def no_trace = raise(Gone, "without", [])
  def own_trace = raise(Gone, "with its own", ["app/controllers/far.rb:1:in `away'", "/gems/x.rb:2"])
  def anonymous = raise(Class.new(StandardError), "no name")
  def thrown = throw(:halt, [418, { "x-thrown" => "yes" }, ["thrown"]])
  def uncaught = throw(:nobody)
  def recursion = recursion
  def required = params.require(:thing)
  def xml_only = respond_to { |format| format.xml { head :ok } }
  def retried = (@tries = @tries.to_i + 1) < 3 ? raise(Gone, "try") : head(:ok) rescue retry_gone
  def flash_and_session = (session[:a] = 1) && (flash[:b] = 2) && (cookies[:c] = 3) && raise(Gone, "with cookies")
  def headers_set = (response.headers["X-Own"] = "1") && (response.status = 201) && raise(Gone, "with headers")
  def upload = (UPLOADS << params[:file].tempfile) && raise(Gone, "with a file")
  def deep_error = deeper(150) { nil.upcase_it }

  def transaction
    Item.create!(name: "rolled back")
    raise Gone, "in a transaction"
  end

  def self_caused = raise(Circular, "its own cause")

  def ring
    first, second = Array.new(2) { |index| Circular.new("of a ring: #{index}") }
    first.cause = second
    second.cause = first
    raise first
  end

  def nested
    raise KeyError, "first"
  rescue KeyError
    raise Gone, "second"
  end

  def inner
    ActiveSupport::Notifications.instrument("own.test", id: 1) { raise Gone, "instrumented" }
  end

  def reported
    Rails.error.handle { raise Gone, "handled by the reporter" }
    raise "not handled"
  end

  def stream
    self.response_body = Enumerator.new { |lines| lines << "one\n" and raise("in the stream") }
  end

  private

  def retry_gone = head(:accepted)

  def deeper(depth, value = nil, &block)
    return deeper(depth - 1, value, &block) if depth.positive?

    block ? block.call(value) : raise(Gone, "no such thing")
  end
end
