# frozen_string_literal: true

require "logger"
require "bootsnap/setup"
