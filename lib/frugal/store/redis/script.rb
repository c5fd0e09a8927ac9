# frozen_string_literal: true

require "digest/sha1"

module Frugal
  class Store
    module Redis
      # A Lua script, which the server runs atomically and caches by its digest.
      #
      # The keys of a store are those of {Names}. The value of a root begins with a header of
      # {Value}: its version, its place in the order of roots, whether it expires. A version is
      # the store's clock when the root was written: microseconds of the server's clock, or the
      # last version plus one if that is later. So a version is never used for two values, even
      # if the server has lost its last writes in a crash.
      class Script
        # @return [String]
        attr_reader :source, :digest

        def initialize(source)
          @source = source.freeze
          @digest = Digest::SHA1.hexdigest(source).freeze
        end

        # Returns the clock if the roots have the versions that a transaction has read, else nil.
        # KEYS: clock, keys, roots. ARGV: version of the set of keys or "-", versions of the roots.
        CHECK = new(<<~LUA)
          if ARGV[1] ~= '-' and (redis.call('GET', KEYS[2]) or '') ~= ARGV[1] then return false end
          for i = 2, #ARGV do
            if redis.call('GETRANGE', KEYS[i + 1], 0, 15) ~= ARGV[i] then return false end
          end
          return redis.call('GET', KEYS[1]) or ''
        LUA

        # Lists roots: returns the clock, the version of the set of keys, how many keys of the index were
        # read, the last of these keys, and pairs of encoded key and data. ARGV[2] chooses the data:
        # "places" (the header), "values" (header and value) or "sizes" (of both, in bytes). KEYS: clock,
        # keys, index. ARGV: prefix of the roots, data, the largest number of keys or -1, the bounds of
        # each range.
        LIST = new(<<~LUA)
          local prefix, what, left = ARGV[1], ARGV[2], tonumber(ARGV[3])
          local found, members, roots = {}, {}, {}
          for at = 4, #ARGV, 2 do
            if left == 0 then break end
            local range = redis.call('ZRANGEBYLEX', KEYS[3], ARGV[at], ARGV[at + 1], 'LIMIT', 0, left)
            for _, member in ipairs(range) do
              members[#members + 1] = member
              roots[#roots + 1] = prefix .. member
            end
            if left > 0 then left = left - #range end
          end
          for at = 1, what == 'values' and #roots or 0, 1000 do
            local last = math.min(at + 999, #roots)
            for i, value in ipairs(redis.call('MGET', unpack(roots, at, last))) do
              if value then
                found[#found + 1] = members[at + i - 1]
                found[#found + 1] = value
              end
            end
          end
          for i = 1, what == 'values' and 0 or #roots do
            local value = what == 'sizes' and redis.call('STRLEN', roots[i]) or redis.call('GETRANGE', roots[i], 0, 31)
            if value ~= '' and value ~= 0 then
              found[#found + 1] = members[i]
              found[#found + 1] = value
            end
          end
          return {redis.call('GET', KEYS[1]) or '', redis.call('GET', KEYS[2]) or '', #members, members[#members] or '', found}
        LUA
      end
    end
  end
end

require_relative "commit_script"
