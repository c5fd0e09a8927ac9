# frozen_string_literal: true

module Frugal
  module Session
    class RedisBackend
      # What runs on the server. Each script may run twice with the same arguments, if an answer was lost. The keys are
      # those of one session: its value, its turn, and where a value is put away that is none.
      module Scripts
        Script = Store::Redis::Script
        private_constant :Script

        # ARGV: token or "", milliseconds of the turn, the largest value in bytes, milliseconds that foreign values
        # are kept. Returns the value; false if there is none, "held", "foreign". Without memory, a session can be
        # read, but gets no turn. The expiry is set again after an eighth of the session's life.
        LOAD = Script.new(<<~LUA)
          local session, turn, aside = KEYS[1], KEYS[2], KEYS[3]
          local kind = redis.call('TYPE', session).ok
          if kind == 'none' then return false end
          local head = kind == 'string' and redis.call('GETRANGE', session, 0, 31) or ''
          if not string.find(head, '^f1' .. string.rep('%d', 13) .. string.rep('%x', 16) .. '\\n$')
            or redis.call('STRLEN', session) > tonumber(ARGV[3]) then
            redis.call('RENAME', session, aside)
            if redis.call('PTTL', aside) == -1 then redis.call('PEXPIRE', aside, ARGV[4]) end
            return 'foreign'
          end
          if ARGV[1] ~= '' and redis.pcall('GET', turn) ~= ARGV[1] then
            if not redis.pcall('SET', turn, ARGV[1], 'NX', 'PX', ARGV[2]) then return 'held' end
          end
          local life, left = tonumber(string.sub(head, 6, 15)) * 1000, redis.call('PTTL', session)
          if math.abs(life - left) > life / 8 then redis.call('PEXPIRE', session, string.format('%.0f', life)) end
          return redis.call('GET', session)
        LUA

        # ARGV: token or "", sequence of the value to replace, that of the new one, the new value, milliseconds to
        # live. Returns 1; 0 if there is no session any more; the present value if it is another one.
        SAVE = Script.new(<<~LUA)
          local session, turn = KEYS[1], KEYS[2]
          local sequence, result = redis.call('GETRANGE', session, 15, 30), 1
          if sequence == '' then
            result = 0
          elseif sequence ~= ARGV[3] then
            if sequence ~= ARGV[2] then return redis.call('GET', session) end
            redis.call('SET', session, ARGV[4], 'PX', ARGV[5])
          end
          if ARGV[1] ~= '' and redis.call('GET', turn) == ARGV[1] then redis.call('DEL', turn) end
          return result
        LUA

        # ARGV: sequence. Returns whether it has moved the value.
        PUT_AWAY = Script.new(<<~LUA)
          if redis.call('GETRANGE', KEYS[1], 15, 30) ~= ARGV[1] then return 0 end
          redis.call('RENAME', KEYS[1], KEYS[3])
          return 1
        LUA

        # ARGV: token.
        END_TURN = Script.new(<<~LUA)
          if redis.call('GET', KEYS[2]) == ARGV[1] then redis.call('DEL', KEYS[2]) end
          return 1
        LUA
      end
    end
  end
end
