import type { Demo } from './demo.ts'

export interface Start {
  readonly version: string
  readonly startedInMs: number
  readonly base: string
  /** The URL of the settings page. */
  readonly page: string
  readonly database: string
  readonly demo: Demo | null
  readonly workers: number
  /** The URL of the operator port. */
  readonly admin: string | null
  /** A problem for the operator to fix. */
  readonly warning: string | null
}

/** The text that is printed when the service has started. */
export function banner({ version, startedInMs, base, page, database, demo, workers, admin, warning }: Start): string {
  const lines = [
    `Project API ${version}, ready in ${Math.round(startedInMs)} ms`,
    '',
    `  API       ${base}/rest/v1/project`,
    `  Settings  ${page}/`,
    `  Docs      ${base}/docs`,
    `  Health    ${base}/health/ready`,
    `  Database  ${database}`,
    ...(admin === null ? [] : [`  Metrics   ${admin}/metrics`]),
    ...(workers > 1 ? [`  Workers   ${workers}`] : []),
    ...(warning === null ? [] : ['', `Warning: ${warning}`]),
  ]
  return `\n${[...lines, ...(demo ? demoLines(base, page, demo) : [])].join('\n')}\n\n`
}

/** The same for programs. */
export const startDocument = ({
  version,
  startedInMs,
  base,
  page,
  database,
  demo,
  workers,
  admin,
  warning,
}: Start) => ({
  ...{ version, ready_ms: Math.round(startedInMs), url: base, settings_url: page, database, workers },
  metrics_url: admin === null ? null : `${admin}/metrics`,
  warning,
  demo: demo && {
    ...{ email: demo.email, password: demo.password },
    ...{ api_key: demo.apiKey, api_secret: demo.apiSecret, bid_id: demo.bidId },
  },
})

function demoLines(base: string, page: string, { apiKey, apiSecret, bidId, email, password }: Demo): string[] {
  const headers = `-H 'apikey: ${apiKey}' -H 'Authorization: Bearer ${apiKey}' -H 'X-API-Secret: ${apiSecret}'`
  const body = JSON.stringify({ bid_id: bidId, project_name: 'My first project' })
  return [
    '',
    'This is a new database, so a demo company with bids and projects was created. Its secrets are shown only once:',
    '',
    `  Sign in at  ${page}/`,
    `  E-mail      ${email}`,
    `  Password    ${password}`,
    '',
    `  API key     ${apiKey}`,
    `  API secret  ${apiSecret}`,
    `  A bid's id  ${bidId}`,
    '',
    'For the examples of the README, in another terminal:',
    '',
    `export PROJECT_API_URL=${base} PROJECT_API_KEY=${apiKey} PROJECT_API_SECRET=${apiSecret} BID_ID=${bidId}`,
    '',
    'List its projects:',
    '',
    `curl ${headers} '${base}/rest/v1/project?select=id,project_name'`,
    '',
    'Create one:',
    '',
    `curl -X POST ${headers} -H 'Content-Type: application/json' -d '${body}' '${base}/rest/v1/project'`,
  ]
}
