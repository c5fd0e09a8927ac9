# frozen_string_literal: true

# As in config/initializers, for a run that looks there.
Rails.application.config.frugal.route_check = true
