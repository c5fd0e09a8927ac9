# frozen_string_literal: true

class Item < ActiveRecord::Base
end
