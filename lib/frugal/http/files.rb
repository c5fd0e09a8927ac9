# frozen_string_literal: true

require_relative "../native"
require_relative "files/header"
require_relative "files/representation"
require_relative "files/variants"
require_relative "files/responses"

module Frugal
  # A Rack application that serves the files beneath a directory. It responds as Rack::Files does, and adds entity
  # tags, conditional ranges and precompressed variants. No path leads out of the directory, unless
  # `follow_symlinks: true` allows it.
  #
  #   require "frugal/files"
  #   run Frugal::Files.new("public", { "cache-control" => "public, max-age=3600" })
  #
  # A file is opened beneath the directory by one system call, and the open file is sent, even if its name now leads
  # to another file. Only regular files are served. docs/http.md lists the differences from Rack::Files.
  #
  # The directory is kept open, and its path is checked at most once a second. The directory may also be created
  # later, or be removed. An instance may be used by several threads, after a fork and, if it was made shareable, by
  # several Ractors.
  #
  # *Cost*: for a missing file one system call (+fstatat+), no exception, 5 objects.
  # For a file of up to 64 KiB +fstatat+, +openat2+ (+openat+ with <tt>follow_symlinks: true</tt>),
  # +fstat+, +pread+, +close+, and one +fstatat+ for each missing variant. The
  # pure engine makes more calls.
  class Files
    # Milliseconds after which the path of the directory is checked again.
    ROOT_VALID_FOR = 1000

    VERBS = "GET, HEAD, OPTIONS"
    TEXT = "text/plain"
    Beneath = Native.engine::Beneath
    FOLLOWED = [false, :inside, true].freeze
    private_constant :ROOT_VALID_FOR, :VERBS, :TEXT, :Beneath, :FOLLOWED
    include Header

    # @return [String] the absolute path of the directory
    attr_reader :root

    # @param root [String, #to_path] need not exist yet; may be a link
    # @param headers [Hash, nil] added to each response with a file
    # @param default_mime [String, nil] the type of files with an unknown extension
    # @param follow_symlinks [Boolean, Symbol] the links that are followed: false for none; +:inside+ for links that
    #   stay beneath the directory at each step; true for all links, as with Rack::Files, also out of the directory
    #   (such as a deployment's public/uploads). Anyone who can create links in the directory can then choose the files
    #   that are served
    # @param precompressed [Boolean] whether `x.br` and `x.gz` may be sent for `x`
    # @param x_sendfile [Boolean] whether `to_path` of a body returns the file's own path, for a front server
    #   (X-Sendfile, X-Accel-Redirect), instead of the path of the open descriptor
    # @raise [UsageError] for another value of follow_symlinks
    def initialize(root, headers = {}, default_mime = TEXT,
                   follow_symlinks: false, precompressed: true, x_sendfile: false)
      unless FOLLOWED.include?(follow_symlinks)
        raise UsageError, "follow_symlinks: must be false, :inside or true (got #{follow_symlinks.inspect})"
      end

      @root = ::File.expand_path(root)
      @beneath = Beneath.new(@root, follow_symlinks, ROOT_VALID_FOR)
      @precompressed = precompressed
      @responses = Responses.new(headers, default_mime, x_sendfile ? @root : nil)
    end

    # @param env [Hash] a Rack environment
    # @return [Array(Integer, Hash, #each)]
    # @raise [SystemCallError] if there are no more descriptors or memory, or a disk fails
    def call(env)
      verb = env["REQUEST_METHOD"]
      unless verb == "GET" || verb == "HEAD" || verb == "OPTIONS"
        return text(verb, 405, "Method Not Allowed\n", ALLOW => VERBS)
      end

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
      headers = { CONTENT_TYPE => TEXT, CONTENT_LENGTH => body.bytesize.to_s, X_CASCADE => "pass" }
      headers.merge!(more) if more
      [status, headers, verb == "HEAD" ? [] : [body]]
    end

    def serve(env, verb, file)
      if verb == "OPTIONS"
        file.close
        return [200, { ALLOW => VERBS, CONTENT_LENGTH => "0" }, []]
      end
      chosen, range = Variants.choose(@precompressed && @beneath, Representation.new(file), env)
      return @responses.not_modified(chosen) if chosen.not_modified?(env)

      size = chosen.file.size
      @responses.found(chosen, range, verb == "HEAD") ||
        text(verb, 416, "Byte range unsatisfiable\n", CONTENT_RANGE => "bytes */#{size}")
    rescue ::Exception # rubocop:disable Lint/RescueException -- a descriptor must not wait for the garbage collector
      chosen&.file&.close
      file.close
      raise
    end
  end
end
