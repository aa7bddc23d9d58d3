-- Mixed work: of 20 requests, 16 lists of 20 rows, 3 creations and 1 update of a row that is there.
local key = os.getenv("API_KEY")
local bid = os.getenv("BID_ID")
local project = os.getenv("PROJECT_ID")

wrk.headers["apikey"] = key
wrk.headers["Authorization"] = "Bearer " .. key
wrk.headers["X-API-Secret"] = os.getenv("API_SECRET")
wrk.headers["Content-Type"] = "application/json"

local list = { "GET", "/rest/v1/project?limit=20", nil }
local create = { "POST", "/rest/v1/project", '{"bid_id":"' .. bid .. '","project_name":"Soaked"}' }
local update = { "PATCH", "/rest/v1/project?id=eq." .. project, '{"project_name":"Soaked through"}' }

function request()
  local turn = math.random(20)
  local chosen = turn <= 16 and list or turn <= 19 and create or update
  return wrk.format(chosen[1], chosen[2], nil, chosen[3])
end

function done(summary, latency)
  local failed = summary.errors
  local errors = failed.connect + failed.read + failed.write + failed.status + failed.timeout
  io.write(string.format(
    '\nresult {"requests":%d,"errors":%d,"us":%d,"p50Us":%d,"p99Us":%d}\n',
    summary.requests, errors, summary.duration, latency:percentile(50), latency:percentile(99)
  ))
end
