/** What the audit log knows. */
export type AuditAction =
  | `company.${'created' | 'renamed' | 'two_factor_required' | 'two_factor_optional' | 'events_on' | 'events_off'}`
  | `company.${'transferred' | 'deletion_started' | 'deletion_undone'}`
  | `member.${'invited' | 'joined' | 'added' | 'role_changed' | 'removed'}`
  | `member.${'two_factor_on' | 'two_factor_off' | 'recovery_codes_renewed' | 'email_changed' | 'account_deleted'}`
  | `member.${'passkey_added' | 'passkey_removed'}`
  | `invitation.${'revoked' | 'ended' | 'not_sent'}`
  | `credential.${'created' | 'renamed' | 'limited' | 'access_changed' | 'expiry_changed' | 'rotated' | 'secret_ended' | 'revoked' | 'exposed'}`
  | `field.${'created' | 'changed' | 'reordered' | 'archived' | 'restored' | 'deleted'}`
  | `webhook.${'created' | 'changed' | 'rotated' | 'enabled' | 'disabled' | 'replayed' | 'deleted'}`
