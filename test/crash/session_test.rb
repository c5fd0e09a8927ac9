# frozen_string_literal: true

require_relative "../support/session_case"
require_relative "traced_fork"
require_relative "fault"

# A process is killed before each system call of a request, and each call fails once: the client's next request finds the old or
# the new session, and a request whose call failed is answered.
class SessionCrashTest < SessionCase
  CALLS = "openat,flock,fcntl,newfstatat,fstat,pread64,pwrite64,close,rename,unlink,mkdir,utimensat,sendto"
  LARGE = "x" * 5000
  # The request, its options, and what the client's old cookie finds afterwards.
  REQUESTS = {
    "a change" => ["/set?a=2", {}, %w[1 2]], "a read" => ["/read", {}, %w[1]], "a larger session" => ["/set?a=#{LARGE}", {}, ["1", LARGE]],
    "a renewal" => ["/set?a=2", { renew: true }, ["1", nil]], "a logout" => ["/destroy", {}, ["1", nil]], "a drop" => ["/read", { drop: true }, ["1", nil]]
  }.freeze

  REQUESTS.each do |name, (request, options, states)|
    define_method("test_#{name}") do
      skip "needs fork and strace" unless Safety::TracedFork.available?

      @request = request
      @options = options
      perform("trace=#{CALLS}") # loads what Ruby loads at the first use
      faults = Safety::Fault.list(perform("trace=#{CALLS}").trace, dir)
      assert_operator faults.count(&:kill?), :>=, 5
      faults.each { |fault| check(fault, states) }
    end
  end

  private

  def check(fault, states)
    outcome = perform("inject=#{fault.injection}", "trace=#{CALLS}")
    assert_includes ["begin", "begin ended 200"], outcome.messages.join(" "), fault
    assert_equal "begin ended 200", outcome.messages.join(" "), fault unless fault.kill?
    assert_includes states, stored, fault
    Client.new(stack, @cookie).get("/set?b=3")
    assert_includes [*states, nil], stored, fault
    refute_path_exists "#{dir}/quarantine", fault
  end

  # @return [String, nil] what the old cookie finds; nil for no session
  def stored = JSON.parse(Client.new(stack, @cookie).get("/read").gsub("=>", ":"))["a"]

  def perform(*options)
    FileUtils.rm_rf(dir)
    (client = Client.new(stack(expire_after: 1000))).get("/set?a=1")
    @cookie = client.cookie
    File.utime(Time.now - 300, Time.now - 300, file_of(@cookie)) # so that a read touches it
    Safety::TracedFork.new(["-xx", *options.flat_map { |option| ["-e", option] }]).call do |say|
      say.call("begin")
      client.get(@request, **@options)
      say.call("ended #{client.response.status}")
    end
  end
end
