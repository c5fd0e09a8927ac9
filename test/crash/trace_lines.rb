# frozen_string_literal: true

module Safety
  # Parses the output of <tt>strace -f -y -xx</tt>: one Call for each system call.
  module TraceLines
    # +text+ is the line, with its strings in hex; +strings+ are the quoted strings, decoded.
    Call = Struct.new(:name, :text, :result, :injected, keyword_init: true) do
      def strings = @strings ||= text.scan(STRING).map { |(hex)| TraceLines.bytes(hex) }
      def descriptor = text[/\A\w+\((\d+)</, 1]&.to_i
      def numbers = @numbers ||= text.gsub(STRING, "").scan(/, (-?\d+)(?=[,)])/).map { |(digits)| digits.to_i }
      def failed? = result.negative?

      def descriptor_path
        path = text[/\A\w+\(\d+<([^>]*)>/, 1]
        path&.start_with?("\\x") ? TraceLines.bytes(path) : path
      end

      # Whether a string or the path of a descriptor begins with the folder.
      def mentions?(folder)
        paths = text.scan(/<((?:\\x\h\h)+)>/).map { |(hex)| TraceLines.bytes(hex) }
        [*paths, *strings].any? { |one| one.start_with?(folder) }
      end
    end

    STRING = /"((?:\\x\h\h)*)"/
    UNFINISHED = " <unfinished ...>"
    CALL = /\A(\w+)\(.*\) += (-?\d+|\?)/m

    module_function

    # @return [Array<Call>] in the order in which they ended
    def parse(trace)
      pending = {}
      trace.each_line(chomp: true).filter_map do |line|
        pid, rest = line.split(/ +/, 2)
        if rest.end_with?(UNFINISHED)
          pending[pid] = rest.delete_suffix(UNFINISHED)
          next
        elsif rest.start_with?("<... ")
          rest = pending.delete(pid).to_s + rest.sub(/\A<\.\.\. \w+ resumed>/, "")
        end
        call(rest)
      end + pending.values.filter_map { |rest| call("#{rest}) = ?") }
    end

    def call(line)
      name, result = line.match(CALL)&.captures
      return unless name

      Call.new(name: name, text: line, result: result == "?" ? -1 : result.to_i,
               injected: line.end_with?("(INJECTED)"))
    end

    def bytes(hex) = [hex.delete("\\\\x")].pack("H*")
  end
end
