import { define, type Failures } from './define.ts'

/** What agents send to the tools at /mcp. */
export const tools = {
  argumentInvalid: define(400, 'invalid_argument', (message: string, hint: string) => ({ message, hint })).inTools(
    'There is no argument "columns"',
    'Arguments: id, select.',
  ),
  resultTooLong: define(400, 'result_too_long', (charactersMax: number) => ({
    message: `One row is longer than ${charactersMax} characters`,
    hint: 'Name fewer columns in "select", or give embedded rows a limit, such as "project.limit": "10" in "filters".',
  })).inTools(50_000),
} satisfies Failures
