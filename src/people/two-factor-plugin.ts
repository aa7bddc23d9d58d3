import { createAuthMiddleware } from 'better-auth/api'
import { symmetricDecrypt } from 'better-auth/crypto'
import { twoFactor } from 'better-auth/plugins/two-factor'
import type { Database } from '../store/database.ts'
import { columnNames } from './column-names.ts'
import { consumeCode } from './two-factor.ts'

const challengeCookie = 'two_factor'

/** The sign-in in two steps, on our tables: five codes for each password, and ten wrong ones in a row lock it for 15 minutes. */
export const twoFactorPlugins = (db: Database, notePerson: (id: string) => void) => [
  twoFactor({
    schema: {
      user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
      twoFactor: { modelName: 'two_factor', fields: columnNames.twoFactor },
    },
  }),
  {
    id: 'one-use-codes',
    hooks: {
      before: [
        {
          matcher: ({ path }: { path?: string }) => path?.startsWith('/two-factor/verify-') ?? false,
          handler: createAuthMiddleware(async ({ path, context, getSignedCookie, body }) => {
            const { name } = context.createAuthCookie(challengeCookie)
            const challenge = await getSignedCookie(name, context.secret)
            const found = challenge ? await context.internalAdapter.findVerificationValue(challenge) : null
            const unseal = (data: string) => symmetricDecrypt({ key: context.secretConfig, data })
            // Without a challenge, better-auth refuses it.
            if (!found) return
            notePerson(found.value)
            if (path === '/two-factor/verify-totp') await consumeCode(db, { unseal }, found.value, String(body.code))
          }),
        },
      ],
    },
  },
]
