-- Sends requests with cookies. Arguments: the fixed value of the cookie, or the number of sessions; a seed.
local fixed, count

function init(arguments)
  fixed = not tonumber(arguments[1]) and arguments[1]
  count = tonumber(arguments[1])
  math.randomseed(tonumber(arguments[2]))
end

function request()
  local id = fixed or string.format("%064x", math.random(0, count - 1))
  return wrk.format("GET", nil, { ["Cookie"] = "rack.session=" .. id })
end
