# frozen_string_literal: true

require "digest/sha1"

module Frugal
  class Store
    module Redis
      # A Lua script, which the server runs as a whole, and remembers by its digest.
      #
      # The keys of a store are those of {Names}. The value of a root begins with a header of
      # {Value}: its version, its place in the order of roots, whether it expires. A version is
      # the store's clock when the root was written: microseconds of the server's clock, or one
      # more than the last version if that is later. So a version is never used for two values, not
      # even if the server has lost its last writes in a crash.
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

        # Returns the clock, the version of the set of keys, and each encoded key followed by what ARGV[2]
        # names: "places" (its header), "values" (header and value) or "sizes" (of both, in bytes).
        # KEYS: clock, keys, index. ARGV: prefix of the roots, what, the first key and the end of each range.
        KEYS = new(<<~LUA)
          local members = {}
          if #ARGV == 2 then members = redis.call('ZRANGE', KEYS[3], 0, -1) end
          for at = 3, #ARGV, 2 do
            local range = redis.call('ZRANGEBYLEX', KEYS[3], '[' .. ARGV[at], '(' .. ARGV[at + 1])
            for _, member in ipairs(range) do members[#members + 1] = member end
          end
          local last = ARGV[2] == 'values' and -1 or 31
          local found = {}
          for _, member in ipairs(members) do
            local root = ARGV[1] .. member
            local value = ARGV[2] == 'sizes' and redis.call('STRLEN', root) or redis.call('GETRANGE', root, 0, last)
            if value ~= '' and value ~= 0 then
              found[#found + 1] = member
              found[#found + 1] = value
            end
          end
          return {redis.call('GET', KEYS[1]) or '', redis.call('GET', KEYS[2]) or '', found}
        LUA

        # Saves a transaction, or changes nothing. What can fail comes before the first write; the first
        # write is one that the server refuses when it has no memory. A transaction that only deletes works
        # without memory: it removes the clock, which the next one sets again from the server's time.
        #
        # KEYS: clock, keys, index, expiry, client, roots. ARGV: number of the transaction, version of the
        # set of keys or "-", prefix of the roots, how many expired roots to remove, number of checks, the
        # versions of the first roots, and for each change: kind, number of the key, value, milliseconds
        # to live ("" for ever, "kept").
        COMMIT = new(<<~LUA)
          local clock, keys, index, expiry, client = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
          local number, prefix, checks = tonumber(ARGV[1]), ARGV[3], tonumber(ARGV[5])
          local last = tonumber(redis.call('GET', client) or '0')
          local tick = tonumber(redis.call('GET', clock) or '0')
          if not last or not tick then return 'foreign' end
          if last == number then return 'saved' end
          if last > number then return 'late' end
          if ARGV[2] ~= '-' and (redis.call('GET', keys) or '') ~= ARGV[2] then return 'conflict' end
          for i = 1, checks do
            if redis.call('GETRANGE', KEYS[5 + i], 0, 15) ~= ARGV[5 + i] then return 'conflict' end
          end

          redis.call('STRLEN', keys)
          redis.call('ZCARD', index)
          redis.call('ZCARD', expiry)
          local first, puts = 6 + checks, 0
          for at = first, #ARGV, 4 do
            redis.call('STRLEN', KEYS[tonumber(ARGV[at + 1])])
            if ARGV[at] == 'put' then puts = puts + 1 end
          end

          local time = redis.call('TIME')
          local now = time[1] * 1000 + math.floor(time[2] / 1000)
          local place = math.max(tick, time[1] * 1000000 + time[2])
          local version = string.format('%016.0f', place + puts + 1)
          if puts > 0 then
            redis.call('SET', clock, version)
          else
            local answer = redis.pcall('SET', clock, version)
            if type(answer) == 'table' and answer.err then redis.call('DEL', clock, keys) end
          end

          local changed = false
          for at = first, #ARGV, 4 do
            local kind, key, life = ARGV[at], KEYS[tonumber(ARGV[at + 1])], ARGV[at + 3]
            local member = string.sub(key, #prefix + 1)
            if kind == 'delete' then
              changed = redis.call('DEL', key) == 1 or changed
              redis.call('ZREM', index, member)
              redis.call('ZREM', expiry, member)
            else
              local flag = life == '' and '-' or '+'
              if kind == 'put' then
                local old = redis.call('GETRANGE', key, 16, 32)
                if old == '' then
                  place = place + 1
                  old = string.format('%016.0f-', place)
                  redis.call('ZADD', index, 0, member)
                  changed = true
                end
                if life == 'kept' then
                  redis.call('SET', key, version .. old .. ARGV[at + 2], 'KEEPTTL')
                else
                  redis.call('SET', key, version .. string.sub(old, 1, 16) .. flag .. ARGV[at + 2])
                end
              else
                redis.call('SETRANGE', key, 32, flag)
              end
              if life == '' then
                redis.call('PERSIST', key)
                redis.call('ZREM', expiry, member)
              elseif life ~= 'kept' then
                redis.call('PEXPIRE', key, life)
                redis.call('ZADD', expiry, now + life, member)
              end
            end
          end
          if changed then redis.pcall('SET', keys, version) end
          redis.pcall('SET', client, ARGV[1], 'PX', 3600000)

          for _, member in ipairs(redis.call('ZRANGEBYSCORE', expiry, '-inf', now, 'LIMIT', 0, ARGV[4])) do
            local left = redis.call('PTTL', prefix .. member)
            if left > 0 then
              redis.pcall('ZADD', expiry, now + left, member)
            else
              redis.call('ZREM', expiry, member)
              if left == -2 then redis.call('ZREM', index, member) end
            end
          end
          return 'saved'
        LUA
      end
    end
  end
end
