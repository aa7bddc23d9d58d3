import { createAuthMiddleware } from 'better-auth/api'
import { symmetricDecrypt } from 'better-auth/crypto'
import { twoFactor } from 'better-auth/plugins/two-factor'
import type { Database } from '../store/database.ts'
import { columnNames } from './column-names.ts'
import { consumeCode, countCode } from './two-factor.ts'

const challengeCookie = 'two_factor'

export const isSecondStep = (path: string | undefined): boolean => path?.startsWith('/two-factor/verify-') ?? false

/** The sign-in in two steps, on our tables: five codes for each password. */
export const twoFactorPlugins = (db: Database, notePerson: (id: string) => void) => [
  twoFactor({
    // Ours counts a code before it is checked.
    accountLockout: { enabled: false },
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
          matcher: ({ path }: { path?: string }) => isSecondStep(path),
          handler: createAuthMiddleware(async ({ path, context, getSignedCookie, body }) => {
            const { name } = context.createAuthCookie(challengeCookie)
            const challenge = await getSignedCookie(name, context.secret)
            const found = challenge ? await context.internalAdapter.findVerificationValue(challenge) : null
            const unseal = (data: string) => symmetricDecrypt({ key: context.secretConfig, data })
            // Without a challenge, better-auth refuses it.
            if (!found) return
            notePerson(found.value)
            await countCode(db, found.value)
            if (path === '/two-factor/verify-totp') await consumeCode(db, { unseal }, found.value, String(body.code))
          }),
        },
      ],
    },
  },
]
