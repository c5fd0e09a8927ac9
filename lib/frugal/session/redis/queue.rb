# frozen_string_literal: true

module Frugal
  module Session
    class RedisBackend
      # The queue of requests that wait for the turn of a session, first come, first served: functions for {Scripts}.
      #
      # The turn is a key that expires and contains the token of its holder. Each waiting request has a place in a
      # sorted set, a time in a hash until which it will ask again, and its own list, for which it waits by BLPOP. When
      # a turn ends, it is offered to the first request that is not late: the turn then has that request's token, for a
      # short time only, since the request may be dead. A request that asks while the turn is offered to it accepts the
      # turn. A living request never loses its place: if it was late, or too slow for an offer, it gets the next offer.
      # If all are late, the turn is free, and the first request that asks gets it.
      #
      # Time only decides how soon a dead request is skipped. If the server's clock jumps, the order may change once.
      module Queue
        # Milliseconds. OFFER: time to accept the turn. LOST: after which a late request loses its place. PAUSE: after
        # which the first request asks again, each following one STEP later, at most LONGEST. NO_PLACE: the pause if
        # the server has no memory for a queue. KEPT: after which an unused queue expires. DONE: how long a saved change
        # is remembered after its turn went to another request. FAR: longer than any turn.
        TIMES = { OFFER: 1_000, LOST: 5_000, PAUSE: 200, STEP: 20, LONGEST: 2_000, NO_PLACE: 20, KEPT: 30_000,
                  DONE: 10_000, FAR: 60_000, PLACES: 10_000 }.freeze
        # The unit of a place in an answer.
        PLACES = TIMES.fetch(:PLACES)
        private_constant :TIMES

        # KEYS: the session, its turn, the name for foreign values, the queue, the hash, the saved changes; optionally
        # the name of the session in older versions.
        SOURCE = <<~LUA.gsub(/\b(#{TIMES.keys.join("|")})\b/) { TIMES.fetch($&.to_sym).to_s }
          local session, turn, aside, queue, waits, done = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]

          local function clock()
            local time = redis.call('TIME')
            return time[1] * 1000 + math.floor(time[2] / 1000)
          end

          local function failed(answer) return type(answer) == 'table' and answer.err ~= nil end

          local function quarantine(key, name)
            redis.call('RENAME', key, aside .. name)
            if redis.call('PTTL', aside .. name) == -1 then redis.call('PEXPIRE', aside .. name, 2592000000) end
          end

          -- Whether there is such a key of ours. Another program's is moved to the quarantine.
          local function ours(key, kind, name)
            local found = redis.call('TYPE', key).ok
            if found ~= kind and found ~= 'none' then quarantine(key, name) end
            return found == kind
          end

          local function list(token) return queue .. ':' .. token end

          -- Who has the turn; false if nobody has.
          local function holder() return ours(turn, 'string', ':turn') and redis.call('GET', turn) end

          local function anybody()
            if not ours(queue, 'zset', ':queue') then return false end
            ours(waits, 'hash', ':waits')
            return true
          end

          local function leave(token)
            redis.call('ZREM', queue, token)
            redis.call('HDEL', waits, token)
            redis.call('DEL', list(token))
          end

          -- The first one that is not late. If all are: nil, and the first one that was not offered the turn since then.
          local function first(now)
            local late, from = nil, 0
            while true do
              local tokens = redis.call('ZRANGE', queue, from, from + 31)
              if #tokens == 0 then return nil, late end
              for _, token in ipairs(tokens) do
                local until_when = tonumber(redis.call('HGET', waits, token) or 0)
                if math.abs(until_when) + LOST < now then
                  leave(token)
                else
                  if until_when >= now then return token end
                  if until_when > 0 then late = late or token end
                  from = from + 1
                end
              end
            end
          end

          local function wake(token)
            redis.pcall('RPUSH', list(token), '1')
            redis.call('PEXPIRE', list(token), KEPT)
          end

          local function offer(token, now)
            if failed(redis.pcall('SET', turn, token, 'PX', OFFER)) then return redis.call('DEL', turn) end
            redis.call('HSET', waits, token, -(now + OFFER))
            wake(token)
          end

          local function remember(sequence)
            ours(done, 'list', ':done')
            if failed(redis.pcall('RPUSH', done, sequence)) then return end
            redis.call('LTRIM', done, -128, -1)
            redis.call('PEXPIRE', done, DONE)
          end

          -- Ends the turn if it is that of `token`. `sequence` is of what was saved in it, or nil.
          local function pass(token, sequence)
            if token == '' or holder() ~= token then return end
            local now, heir, late = clock(), nil, nil
            if anybody() then heir, late = first(now) end
            if not heir then redis.call('DEL', turn) end
            if late and not heir then wake(late) end
            if sequence and (heir or late) then remember(sequence) end
            if heir then offer(heir, now) end
          end

          local function accept(token, milliseconds)
            redis.pcall('SET', turn, token, 'PX', milliseconds)
            leave(token)
          end

          -- Has or keeps a place. Returns after how many milliseconds to ask again, and the place, in one number.
          local function queue_up(token, now)
            ours(waits, 'hash', ':waits')
            if not redis.call('ZSCORE', queue, token) then
              local last = redis.call('ZRANGE', queue, -1, -1, 'WITHSCORES')[2]
              if failed(redis.pcall('ZADD', queue, (tonumber(last) or 0) + 1, token)) then return NO_PLACE end
            end
            local place = redis.call('ZRANK', queue, token)
            local pause = math.min(PAUSE + STEP * place, LONGEST)
            if place < 4 then pause = math.max(1, math.min(pause, redis.call('PTTL', turn) + 1)) end
            redis.pcall('HSET', waits, token, now + 2 * math.max(pause, PAUSE) + PAUSE)
            redis.call('PEXPIRE', queue, KEPT)
            redis.call('PEXPIRE', waits, KEPT)
            return place * PLACES + pause
          end

          -- Whether a turn with so many milliseconds left is another program's, or the server's clock was set back.
          local function odd(left, milliseconds) return left == -1 or left > FAR + 10 * milliseconds end

          -- Takes the turn. Returns nil if `token` has it, or the server cannot give turns; otherwise after how many
          -- milliseconds to ask again.
          local function take(token, milliseconds)
            local present = holder()
            if present == token then return accept(token, milliseconds) end
            if present and odd(redis.call('PTTL', turn), milliseconds) then
              quarantine(turn, ':turn')
              present = false
            end
            local others = anybody()
            if not present and not others then
              redis.pcall('SET', turn, token, 'PX', milliseconds)
              return
            end
            local now = clock()
            local pause = queue_up(token, now)
            if present then return pause end
            local heir = first(now)
            if heir and heir ~= token then
              offer(heir, now)
              return math.max(pause, PAUSE)
            end
            return accept(token, milliseconds)
          end
        LUA
      end
    end
  end
end
