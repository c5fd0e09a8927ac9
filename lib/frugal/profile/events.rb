# frozen_string_literal: true

require_relative "stack"

module Frugal
  module Profile
    # One call of a libc function that reaches the file system; or one of the {Kinds::PROBES}: +:digest+ (`bytes` were
    # digested, `result` is a hash of the digest), +:backtrace+ (one of `bytes` frames was rendered to strings) and
    # +:output+ (`bytes` were written to a terminal, a pipe or a socket; recorded after the first backtrace).
    #
    # process:: {ProcessRecord}
    # thread:: Integer, the kernel's thread id
    # time:: Integer, nanoseconds of CLOCK_MONOTONIC at its beginning: comparable between processes
    # duration:: Integer, nanoseconds
    # name:: Symbol, the libc function: +:stat+, +:openat+, +:realpath+
    # error:: String such as "ENOENT", or nil
    # path:: String, absolute; nil for a descriptor without a path. UTF-8 or, with other bytes, binary
    # to:: String or nil: the new name of +:rename+ and +:link+; the text of a link for +:symlink+ and +:readlink+; the
    #   resolved path of +:realpath+
    # fd:: Integer or nil: the descriptor that the call used or that an open returned
    # bytes:: Integer: read or written; the entries of +:readdir+ (one event a listing, when the stream is at its end);
    #   the size of the file for the stat family; the child's pid for +:fork+
    # result:: Integer: a hash of the result of the call (stat: type, size, inode and times; read and write: the bytes);
    #   0 if it is unknown. Equal results have equal hashes
    # flags:: Integer: flags of open, mode of access; for +:readdir+, nanoseconds that the calls before it took, which
    #   got the names
    # stack:: {Stack}
    # group:: String or nil: the route or example file in which the call was made
    Call = Struct.new(:process, :thread, :time, :duration, :name, :error, :path, :to, :fd, :bytes, :result, :flags,
                      :stack, :group) do
      # @return [Frame, nil] the innermost Ruby line
      def site = stack.site

      # @return [Boolean]
      def failed? = !error.nil?

      # @return [Integer] nanoseconds of CLOCK_MONOTONIC
      def finish = time + duration

      # @return [Integer] nanoseconds of the call, and of those that the log does not have (see `flags`)
      def taken = name == :readdir ? duration + flags : duration
    end

    # One exception that was raised.
    #
    # class_name:: String
    # ancestors:: Array<String>: the names of the class and its superclasses
    # error:: String such as "ENOENT" for a SystemCallError, or nil
    # depth:: Integer, frames of the whole stack; `stack` may have fewer
    # others:: as in {Call}
    Raise = Struct.new(:process, :thread, :time, :class_name, :ancestors, :error, :stack, :depth, :group) do
      # @return [Frame, nil] the innermost Ruby line
      def site = stack.site
    end

    # One image of a process: a new one begins with each exec.
    #
    # pid, ppid:: Integer
    # argv:: Array<String>
    # ruby:: String or nil: the version, if the process runs Ruby
    # started:: Integer, nanoseconds of CLOCK_MONOTONIC
    # dropped:: Integer: events that did not fit into the log; `counts` includes them
    # counts:: Hash{Symbol => Integer}: all calls by the name of the function
    ProcessRecord = Struct.new(:pid, :ppid, :argv, :ruby, :started, :dropped, :counts)
  end
end
