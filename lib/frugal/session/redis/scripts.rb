# frozen_string_literal: true

require_relative "queue"

module Frugal
  module Session
    class RedisBackend
      # The scripts that run on the server. If an answer was lost, a script runs again with the same arguments. {Queue}
      # has their keys and functions.
      module Scripts
        def self.script(source) = Store::Redis::Script.new("#{Queue::SOURCE}\n#{source}")
        private_class_method :script

        # ARGV: token or "", milliseconds of the turn, the largest value in bytes. Returns the value, false if there is
        # none, "foreign", or the number of milliseconds after which to ask again. Without memory, and on a replica, a
        # session can be read, but gets no turn. The expiry is set again after an eighth of the session's lifetime.
        LOAD = script(<<~LUA)
          local kind = redis.call('TYPE', session).ok
          if kind == 'none' and KEYS[7] and redis.call('EXISTS', KEYS[7]) == 1 then
            if failed(redis.pcall('RENAME', KEYS[7], session)) then session = KEYS[7] end
            kind = redis.call('TYPE', session).ok
          end
          if kind == 'none' then return false end
          local head = kind == 'string' and redis.call('GETRANGE', session, 0, 31) or ''
          if not string.find(head, '^f1' .. string.rep('%d', 13) .. string.rep('%x', 16) .. '\\n$')
            or redis.call('STRLEN', session) > tonumber(ARGV[3]) then
            quarantine(session, '')
            return 'foreign'
          end
          local pause = ARGV[1] ~= '' and take(ARGV[1], ARGV[2])
          if pause then return pause end
          local life, left = tonumber(string.sub(head, 6, 15)) * 1000, redis.call('PTTL', session)
          if math.abs(life - left) > life / 8 then redis.pcall('PEXPIRE', session, string.format('%.0f', life)) end
          return redis.call('GET', session)
        LUA

        # ARGV: token or "", sequence of the value to replace, sequence of the new value, the new value, milliseconds to
        # live. Returns 1; 0 if the session no longer exists; the present value if it has another sequence. For a value
        # that is saved already, the expiry is written again, because WAIT counts the replicas that have the last write
        # of a connection.
        SAVE = script(<<~LUA)
          local sequence = redis.call('GETRANGE', session, 15, 30)
          if sequence == ARGV[2] then
            redis.call('SET', session, ARGV[4], 'PX', ARGV[5])
          elseif sequence == ARGV[3] then
            redis.call('PEXPIRE', session, ARGV[5])
          elseif sequence ~= '' then
            local saved = false
            for _, one in ipairs(ours(done, 'list', ':done') and redis.call('LRANGE', done, 0, -1) or {}) do
              saved = saved or one == ARGV[3]
            end
            if not saved then return redis.call('GET', session) end
          end
          pass(ARGV[1], ARGV[3])
          return sequence == '' and 0 or 1
        LUA

        # ARGV: "". Deletes the session, and wakes all requests that wait for it. If the Redis user has no permission
        # for UNLINK, the script sets a value that expires after a millisecond.
        REMOVE = script(<<~LUA)
          local was = redis.call('EXISTS', session)
          if KEYS[7] then was = was + redis.call('EXISTS', KEYS[7]) end
          for at = 1, 7, 6 do
            if KEYS[at] and failed(redis.pcall('UNLINK', KEYS[at])) then redis.call('SET', KEYS[at], '', 'PX', 1) end
          end
          if anybody() then
            for _, token in ipairs(redis.call('ZRANGE', queue, 0, -1)) do wake(token) end
            redis.call('DEL', queue, waits)
          end
          redis.call('DEL', turn, done, list('moving'))
          return was > 0 and 1 or 0
        LUA

        # ARGV: "", sequence. Returns whether the value was moved.
        QUARANTINE = script(<<~LUA)
          if redis.call('GETRANGE', session, 15, 30) ~= ARGV[2] then return 0 end
          quarantine(session, '')
          return 1
        LUA

        # ARGV: token. Ends the turn, or the wait, of that token.
        END_TURN = script(<<~LUA)
          if anybody() then leave(ARGV[1]) end
          pass(ARGV[1])
          return 1
        LUA

        # ARGV: token, milliseconds that its turn lasts from now on. Returns whether the token has the turn.
        RENEW = script(<<~LUA)
          return holder() == ARGV[1] and redis.call('PEXPIRE', turn, ARGV[2]) or 0
        LUA
      end
    end
  end
end
