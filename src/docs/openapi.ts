import { version } from '../../package.json'
import type { Resource } from '../resources/define.ts'
import { resources as builtIn, inOrderOfInterest } from '../resources/index.ts'
import { makeHeaders } from './answer-headers.ts'
import { makeExamples, makeFailedAnswers } from './answers.ts'
import { contactOf } from './contact.ts'
import { describing, pathOf } from './operations.ts'
import { makeFilters, makeParameters } from './parameters.ts'
import { makePreferences } from './preferences.ts'
import { type JsonObject, makeSchemas, type Outline } from './schemas.ts'
import { textParts } from './text-parts.ts'
import { makeWebhooks } from './webhooks.ts'

/** The whole API as an OpenAPI 3.1 document, made from the definitions of what is served: to everybody, or to one credential. */
export const openapiText = (baseUrl: string | null = null, resources: readonly Resource[] = builtIn): string =>
  [...openapiParts(baseUrl, resources)].join('')

/** The same in parts, each of which takes a few milliseconds: a company may have added many columns. */
export const openapiParts = (baseUrl: string | null, resources: readonly Resource[]): Iterable<string> =>
  textParts(makeOutline(baseUrl, resources))

function makeOutline(baseUrl: string | null, resources: readonly Resource[]): Outline {
  const shown = inOrderOfInterest(resources)
  const webhooks = makeWebhooks(resources)
  return {
    openapi: () => '3.1.0',
    info: () => ({
      ...{ title: 'Project API', version, description },
      contact: contactOf(baseUrl),
      license: { name: 'MIT', identifier: 'MIT' },
    }),
    // Tools that read the document from a file know no server but this one.
    servers: () => [{ url: `${baseUrl ?? ''}/rest/v1`, description: 'This server.' }],
    tags: () => [
      ...shown.map((resource) => ({ name: resource.name, description: resource.description })),
      ...(Object.keys(webhooks).length > 0 ? [aboutWebhooks] : []),
      { name: 'description', description: aboutDescription },
    ],
    paths: {
      ...Object.fromEntries(shown.map((resource) => [`/${resource.name}`, () => pathOf(resource)])),
      '/': () => ({
        get: describing('GET', 'Read the OpenAPI document'),
        head: describing('HEAD', 'Check the OpenAPI document'),
      }),
    },
    webhooks: () => webhooks,
    components: {
      schemas: makeSchemas(resources),
      parameters: () => makeParameters(resources),
      responses: makeFailedAnswers,
      headers: makeHeaders,
      examples: makeExamples,
      securitySchemes: () => securitySchemes,
      'x-filters': () => makeFilters(resources),
      'x-preferences': makePreferences,
    },
  }
}

const description = `Projects and bids of a company, in the dialect of PostgREST: its clients, such as supabase-js, work unchanged.

## Authentication

Every request carries the API key as \`apikey\`, and may repeat it as \`Authorization: Bearer <API key>\`.
The API secret in \`X-API-Secret\` scopes the request to the company that owns both. Without it a read finds nothing and a write is refused;
the header \`Project-Api-Scope\` of the answer says which. A tool with a single field sends both as \`apikey\`, joined by a dot:
\`pak_….pas_…\`. Keep the secret on your server: a request from a browser that carries it is refused.

## Failures

They are JSON with \`code\`, \`message\`, \`details\` and \`hint\`, and every answer carries \`X-Request-Id\`.

## Versions

v1 only ever grows. Ignore members and headers that you do not know.`

const aboutWebhooks = { name: 'webhooks', description: 'What the service sends to the webhooks of a company.' }

const aboutDescription =
  'The API about itself, as OpenAPI. Of bodies and answers, `content` has the usual form and `x-content` every form.'

const securitySchemes: JsonObject = {
  apikey: {
    type: 'apiKey',
    in: 'header',
    name: 'apikey',
    description: 'The API key, which begins with `pak_`; or key and secret joined by a dot, `pak_….pas_…`.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'The same API key again. May be left out.' },
  secret: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Secret',
    description: 'The API secret, which begins with `pas_`. Never to be sent from a browser.',
  },
}
