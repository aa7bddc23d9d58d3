import { authentication } from './authentication.ts'
import { credentials } from './credentials.ts'
import { fields } from './fields.ts'
import { idempotency } from './idempotency.ts'
import { live } from './live.ts'
import { load } from './load.ts'
import { people } from './people.ts'
import { queries } from './queries.ts'
import { requestForm } from './request-form.ts'
import { tools } from './tools.ts'
import { transfer } from './transfer.ts'
import { webhooks } from './webhooks.ts'
import { written } from './writes.ts'

export { ApiError } from './api-error.ts'

/** Every failure that a client can see. `docs/errors.md` explains the same codes; a test holds the two equal. */
export const failure = {
  ...authentication,
  ...people,
  ...credentials,
  ...fields,
  ...requestForm,
  ...queries,
  ...written,
  ...idempotency,
  ...live,
  ...load,
  ...tools,
  ...transfer,
  ...webhooks,
}
