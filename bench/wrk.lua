-- The requests that wrk sends, and its figures on one line. The rest of what it prints is not read.
local prefer = os.getenv("PREFER")
local file = os.getenv("BODY_FILE")

wrk.headers["apikey"] = os.getenv("API_KEY")
wrk.headers["Authorization"] = os.getenv("AUTHORIZATION")
wrk.headers["X-API-Secret"] = os.getenv("API_SECRET")

if prefer ~= "" then
  wrk.headers["Prefer"] = prefer
end

if file ~= "" then
  wrk.method = "POST"
  wrk.body = io.open(file):read("*a")
  wrk.headers["Content-Type"] = "application/json"
end

function done(summary, latency)
  local failed = summary.errors
  local errors = failed.connect + failed.read + failed.write + failed.status + failed.timeout
  io.write(string.format(
    '\nresult {"requests":%d,"errors":%d,"us":%d,"p50Us":%d,"p99Us":%d}\n',
    summary.requests, errors, summary.duration, latency:percentile(50), latency:percentile(99)
  ))
end
