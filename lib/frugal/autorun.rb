# frozen_string_literal: true

# `frugal run` loads this file into every Ruby process, through RUBYOPT. The file must parse in Ruby 2.0, because a
# child process may be an old Ruby; in an unsupported Ruby it does nothing. Every process parses these lines, which is
# expensive, so all other code is in autorun/start.rb. That code comes from the bytecode file (described in
# ext/frugal/bytecode.rb) if it was made for this Ruby, this folder and this start.rb.
#
# *Cost*: a `require` of this file, three stats, and a read of the bytecode (5 calls).
if RUBY_VERSION.to_f >= 3.1 && (RUBY_ENGINE == "ruby" || RUBY_ENGINE == "jruby")
  begin
    key = "frugal 3 #{RUBY_REVISION} #{RUBY_PLATFORM} #{File.mtime("#{__dir__}/autorun/start.rb").to_i} #{__dir__}/\n"
    file = "#{__dir__}/native/#{RUBY_ENGINE}-#{RUBY_VERSION[0, 3]}-#{RUBY_PLATFORM}/frugal.iseq"
    bytes = ENV["FRUGAL"] || defined?(Frugal) ? "" : File.binread(file, 65_536).to_s
  rescue SystemCallError
    key = bytes = "" # not compiled, or a test has put another File there
  end
  size, length = bytes.byteslice(key.bytesize, 16).unpack("Q>2") if bytes.start_with?(key)
  if length && size <= bytes.bytesize
    RubyVM::InstructionSequence.load_from_binary(bytes.byteslice(key.bytesize + 16, length)).eval
    FrugalRuntime::Start.call(__FILE__, bytes, key.bytesize + 16 + length)
  else
    load "#{__dir__}/autorun/unusual.rb"
  end
end
