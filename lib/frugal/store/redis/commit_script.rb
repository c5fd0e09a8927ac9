# frozen_string_literal: true

module Frugal
  class Store
    module Redis
      # The script that saves transactions.
      class Script
        # Saves a transaction, or changes nothing. All commands that can fail come before the first write, and the
        # server refuses the first write if it has no memory. A transaction that only deletes works without memory: it
        # removes the clock, and the next transaction sets the clock again from the server's time.
        #
        # KEYS: clock, keys, index, expiry, client, roots. ARGV: number of the transaction, version of the
        # set of keys or "-", prefix of the roots, how many expired roots to remove, number of checks, the
        # versions of the first roots, and for each change: kind, number of the key, value, milliseconds
        # to live ("": forever; "kept": unchanged).
        COMMIT = new(<<~LUA)
          local clock, keys, index, expiry, client = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
          local number, prefix, checks = tonumber(ARGV[1]), ARGV[3], tonumber(ARGV[5])
          local last = tonumber(redis.call('GET', client) or '0')
          local tick = tonumber(redis.call('GET', clock) or '0')
          if not last or not tick then return 'foreign' end
          if last == number then -- a write, so that WAIT counts the replicas that have it
            redis.call('PEXPIRE', client, 3600000)
            return 'saved'
          end
          if last > number then return 'late' end
          if ARGV[2] ~= '-' and (redis.call('GET', keys) or '') ~= ARGV[2] then return 'conflict' end
          local heads = {}
          local function head(at)
            heads[at] = heads[at] or redis.call('GETRANGE', KEYS[at], 0, 32)
            return heads[at]
          end
          for i = 1, checks do
            if string.sub(head(5 + i), 1, 16) ~= ARGV[5 + i] then return 'conflict' end
          end

          local time = redis.call('TIME')
          local now = time[1] * 1000 + math.floor(time[2] / 1000)
          local due = redis.call('ZRANGEBYSCORE', expiry, '-inf', now, 'LIMIT', 0, ARGV[4])
          local first, puts, listed = 6 + checks, 0, #due > 0
          for at = first, #ARGV, 4 do
            if ARGV[at] == 'put' then puts = puts + 1 end
            if head(tonumber(ARGV[at + 1])) == '' or ARGV[at] == 'delete' then listed = true end
          end
          if listed then
            redis.call('ZCARD', index)
            redis.call('STRLEN', keys)
          end

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
            local kind, number, life = ARGV[at], tonumber(ARGV[at + 1]), ARGV[at + 3]
            local key, old = KEYS[number], string.sub(head(number), 17)
            local member = string.sub(key, #prefix + 1)
            if kind == 'delete' then
              changed = redis.call('DEL', key) == 1 or changed
              redis.call('ZREM', index, member)
              redis.call('ZREM', expiry, member)
              heads[number] = ''
            else
              local flag = life == '' and '-' or '+'
              if kind == 'expire' then
                redis.call('SETRANGE', key, 32, flag)
                if life == '' then redis.call('PERSIST', key) end
              else
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
              end
              if life == '' then
                if string.sub(old, 17) == '+' then redis.call('ZREM', expiry, member) end
              elseif life ~= 'kept' then
                redis.call('PEXPIRE', key, life)
                redis.call('ZADD', expiry, now + life, member)
              end
            end
          end
          if changed then redis.pcall('SET', keys, version) end
          redis.pcall('SET', client, ARGV[1], 'PX', 3600000)

          for _, member in ipairs(due) do
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
