# frozen_string_literal: true

require "fileutils"
require "pstore"

module Frugal
  module SessionsBench
    # Sessions in PStores, as CGI and the first versions of Rails had them: a file for each session, all in one
    # directory; a transaction loads the session, and another one saves it at the end of each request that used it.
    # Included in a class of rack-session's PersistedSecure.
    module PStoreSessions
      ID = /\A\h{64}\z/

      def initialize(app, options = {})
        super
        FileUtils.mkdir_p(@folder = options.fetch(:dir))
      end

      def find_session(_req, sid)
        id = sid&.public_id
        return [generate_sid, {}] unless ID.match?(id.to_s) && File.exist?(path(id))

        [sid, open(id).transaction { |store| store["hash"] || {} }]
      end

      def write_session(_req, sid, session, _options)
        open(sid.public_id).transaction { |store| store["hash"] = session.to_hash }
        sid
      end

      def delete_session(_req, sid, options)
        FileUtils.rm_f(path(sid.public_id))
        generate_sid unless options[:drop]
      end

      private

      def path(id) = "#{@folder}/sess_#{id}"

      def open(id) = PStore.new(path(id))
    end
  end
end
