const times = { createdAt: 'created_at', updatedAt: 'updated_at' }

/** better-auth's name of a field → our column. Fields that are not listed have the same name. */
export const columnNames = {
  user: { emailVerified: 'email_verified', ...times },
  session: {
    userId: 'person_id',
    expiresAt: 'expires_at',
    ipAddress: 'ip_address',
    userAgent: 'user_agent',
    ...times,
  },
  account: {
    accountId: 'account_id',
    providerId: 'provider_id',
    userId: 'person_id',
    accessToken: 'access_token',
    refreshToken: 'refresh_token',
    idToken: 'id_token',
    accessTokenExpiresAt: 'access_token_expires_at',
    refreshTokenExpiresAt: 'refresh_token_expires_at',
    ...times,
  },
  verification: { expiresAt: 'expires_at', ...times },
  twoFactor: {
    userId: 'person_id',
    backupCodes: 'backup_codes',
    failedVerificationCount: 'failed_verification_count',
    lockedUntil: 'locked_until',
  },
  passkey: {
    userId: 'person_id',
    credentialID: 'credential_id',
    publicKey: 'public_key',
    deviceType: 'device_type',
    backedUp: 'backed_up',
    createdAt: 'created_at',
  },
} as const
