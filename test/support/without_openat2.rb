# frozen_string_literal: true

require "fiddle"
require "etc"

# Loaded first (-r), this installs a seccomp filter that refuses openat2(2) with the error number in
# WITHOUT_OPENAT2, like an older kernel (ENOSYS) or the rules of a container (EPERM).
module WithoutOpenat2
  PR_SET_NO_NEW_PRIVS = 38
  PR_SET_SECCOMP = 22
  FILTER = 2
  OPENAT2 = 437
  LOAD, EQUAL, ANSWER = 0x20, 0x15, 0x06
  ALLOW, REFUSE = 0x7fff0000, 0x00050000

  # @param error [Integer] errno
  def self.install(error)
    rules = [[LOAD, 0, 0, 0], [EQUAL, 0, 1, OPENAT2], [ANSWER, 0, 0, REFUSE | error], [ANSWER, 0, 0, ALLOW]]
    code = Fiddle::Pointer[rules.map { |rule| rule.pack("SCCL") }.join]
    program = Fiddle::Pointer[[rules.size, code.to_i].pack("Sx6J")]
    types = [Fiddle::TYPE_INT, *[Fiddle::TYPE_LONG] * 4]
    prctl = Fiddle::Function.new(Fiddle::Handle::DEFAULT["prctl"], types, Fiddle::TYPE_INT)
    [[PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0], [PR_SET_SECCOMP, FILTER, program.to_i, 0, 0]].each do |call|
      prctl.call(*call).zero? or abort "this kernel does not support seccomp filters"
    end
  end

  # @return [Integer] the error number of a call of openat2(2)
  def self.answer
    syscall = Fiddle::Function.new(Fiddle::Handle::DEFAULT["syscall"], [Fiddle::TYPE_LONG] * 5, Fiddle::TYPE_LONG)
    syscall.call(OPENAT2, -1, 0, 0, 0)
    Fiddle.last_error
  end
end

WithoutOpenat2.install(Integer(ENV.fetch("WITHOUT_OPENAT2"))) if ENV["WITHOUT_OPENAT2"]
