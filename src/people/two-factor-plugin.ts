import { createAuthMiddleware } from 'better-auth/api'
import { symmetricDecrypt } from 'better-auth/crypto'
import { twoFactor } from 'better-auth/plugins/two-factor'
import type { Database } from '../store/database.ts'
import { columnNames } from './column-names.ts'
import { consumeCode } from './two-factor.ts'

const challengeCookie = 'two_factor'

/** The sign-in in two steps, on our tables: five codes for each password, and ten wrong ones in a row lock it for 15 minutes. */
export const twoFactorPlugins = (db: Database) => [
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
          matcher: ({ path }: { path?: string }) => path === '/two-factor/verify-totp',
          handler: createAuthMiddleware(async ({ context, getSignedCookie, body }) => {
            const { name } = context.createAuthCookie(challengeCookie)
            const challenge = await getSignedCookie(name, context.secret)
            const found = challenge ? await context.internalAdapter.findVerificationValue(challenge) : null
            const unseal = (data: string) => symmetricDecrypt({ key: context.secretConfig, data })
            // Without a challenge, better-auth refuses it.
            if (found) await consumeCode(db, { unseal }, found.value, String(body.code))
          }),
        },
      ],
    },
  },
]
