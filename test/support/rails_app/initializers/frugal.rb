# frozen_string_literal: true

# Loaded as one of config/initializers by a run whose "change" sets that path.
Rails.application.config.frugal.route_check = true
