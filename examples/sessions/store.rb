# frozen_string_literal: true

# Where both applications keep their sessions: this line decides.
STORE = ENV.fetch("STORE", "file")

SESSIONS = {
  "file" => { dir: File.expand_path("tmp/sessions", __dir__) },
  "sqlite" => { sqlite: File.expand_path("tmp/sessions.sqlite", __dir__) },
  "redis" => { redis: ENV.fetch("REDIS_URL", "redis://127.0.0.1:6379/0") }
}.fetch(STORE)

Dir.mkdir(File.expand_path("tmp", __dir__)) unless Dir.exist?(File.expand_path("tmp", __dir__))
