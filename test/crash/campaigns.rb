# frozen_string_literal: true

require_relative "states_campaign"
require_relative "faults_campaign"
require_relative "storms_campaign"
require_relative "full_disk_campaign"
require_relative "counting_campaign"
require_relative "readers_campaign"
require_relative "corruption_campaign"
require_relative "guarantees"
