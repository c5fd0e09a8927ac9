# frozen_string_literal: true

require_relative "../native"
require_relative "files/header"
require_relative "files/representation"
require_relative "files/variants"
require_relative "files/answers"

module Frugal
  # A Rack application that serves the files beneath a directory: the answers of
  # Rack::Files, with entity tags, ranges that fit them, compressed variants, and
  # no way out of the directory, unless links are to be followed wherever they lead.
  #
  #   require "frugal/files"
  #   run Frugal::Files.new("public", { "cache-control" => "public, max-age=3600" })
  #
  # What is opened is opened in one step of the kernel's, beneath the directory, and
  # what was opened is what is sent; so it does not matter what becomes of its name
  # meanwhile. Only regular files are served. docs/http.md tells what is the same as
  # in Rack::Files and what is not.
  #
  # The directory is held open. Whether its path still leads there is asked once a
  # second at most; it may also come later, or go. May be used by several threads,
  # after a fork and, made shareable, by several Ractors.
  #
  # *Cost*: where there is no file, one system call (+fstatat+), no exception, 5 objects.
  # A file of up to 64 KiB: +fstatat+, +openat2+ (+openat+ with <tt>follow_symlinks: true</tt>),
  # +fstat+, +pread+, +close+, and one +fstatat+ for each variant that is not there. The
  # pure engine makes more calls.
  class Files
    # Milliseconds for which the directory is taken to be where it was.
    ROOT_GOOD_FOR = 1000

    VERBS = "GET, HEAD, OPTIONS"
    PLAIN = "text/plain"
    Beneath = Native.engine::Beneath
    FOLLOWED = [false, :inside, true].freeze
    private_constant :ROOT_GOOD_FOR, :VERBS, :PLAIN, :Beneath, :FOLLOWED
    include Header

    # @return [String] the absolute path of the directory
    attr_reader :root

    # @param root [String, #to_path] need not be there yet; may be a link
    # @param headers [Hash, nil] added to the answers with a file
    # @param default_mime [String, nil] the type of files with an unknown suffix
    # @param follow_symlinks [Boolean, Symbol] which links are followed: false, none; +:inside+, those that stay beneath the
    #   directory on all of their way; true, all of them as Rack::Files does, also out of the directory (a deployment's
    #   public/uploads). Who may make a link in the directory then chooses what is served
    # @param precompressed [Boolean] whether `x.br` and `x.gz` may be sent for `x`
    # @param x_sendfile [Boolean] whether `to_path` of a body is the file's own name, for a front server
    #   (X-Sendfile, X-Accel-Redirect), and not that of the open descriptor
    # @raise [UsageError] for another follow_symlinks
    def initialize(root, headers = {}, default_mime = PLAIN, follow_symlinks: false, precompressed: true, x_sendfile: false)
      unless FOLLOWED.include?(follow_symlinks)
        raise UsageError, "follow_symlinks: must be false, :inside or true (got #{follow_symlinks.inspect})"
      end

      @root = ::File.expand_path(root)
      @beneath = Beneath.new(@root, follow_symlinks, ROOT_GOOD_FOR)
      @precompressed = precompressed
      @answers = Answers.new(headers, default_mime, x_sendfile ? @root : nil)
    end

    # @param env [Hash] Rack's
    # @return [Array(Integer, Hash, #each)]
    # @raise [SystemCallError] where descriptors or memory run out, or a disk fails
    def call(env)
      verb = env["REQUEST_METHOD"]
      return text(verb, 405, "Method Not Allowed\n", ALLOW => VERBS) unless verb == "GET" || verb == "HEAD" || verb == "OPTIONS"

      path = env["PATH_INFO"].to_s
      path = Beneath.unescape(path) if path.include?("%")
      case file = @beneath.open(path)
      when nil then text(verb, 404, "File not found: #{path}\n")
      when false then text(verb, 400, "Bad Request\n")
      else serve(env, verb, file)
      end
    end

    private

    def text(verb, status, body, more = nil)
      headers = { CONTENT_TYPE => PLAIN, CONTENT_LENGTH => body.bytesize.to_s, X_CASCADE => "pass" }
      headers.merge!(more) if more
      [status, headers, verb == "HEAD" ? [] : [body]]
    end

    def serve(env, verb, file)
      if verb == "OPTIONS"
        file.close
        return [200, { ALLOW => VERBS, CONTENT_LENGTH => "0" }, []]
      end
      chosen, range = Variants.choose(@precompressed && @beneath, Representation.new(file), env)
      return @answers.not_modified(chosen) if chosen.not_modified?(env)

      size = chosen.file.size
      @answers.found(chosen, range, verb == "HEAD") || text(verb, 416, "Byte range unsatisfiable\n", CONTENT_RANGE => "bytes */#{size}")
    rescue ::Exception # rubocop:disable Lint/RescueException -- no descriptor is left to the collector
      chosen&.file&.close
      file.close
      raise
    end
  end
end
