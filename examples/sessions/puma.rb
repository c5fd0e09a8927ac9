# frozen_string_literal: true

bind ENV.fetch("BIND", "tcp://127.0.0.1:9292")
workers 2
threads 2, 2
preload_app! # a worker opens its own files and connections
