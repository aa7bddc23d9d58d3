import type { Role } from '../../people/roles.ts'

// What is sent under /api, by its names there. The page in the browser imports the types of this folder, and nothing else
// of the server: what these files import must not lead to the runtime.

export type { AuditAction } from '../../people/audit-action.ts'
export type { Role }

export interface Setup {
  readonly first_run: boolean
  readonly signup: 'invite' | 'open'
  readonly email_enabled: boolean
  /** The provider of sign-ins, where there is one. */
  readonly oidc_name: string | null
  readonly base_url: string
  /** Whether browsers allow passkeys at the base URL. */
  readonly passkeys: boolean
  /** How long, in words: `30 days`. */
  readonly events_kept: string
  readonly version: string
}

export interface Company {
  readonly id: string
  readonly name: string
  readonly role: Role
  /** Whether its members must sign in with two factors. */
  readonly two_factor_required: boolean
  /** When it is deleted, where an owner has asked for that. */
  readonly delete_after: string | null
}

export interface Session {
  readonly person: {
    readonly id: string
    readonly name: string
    readonly email: string
    /** They sign in with two factors, or have done so this time, by a passkey. */
    readonly two_factor: boolean
    readonly has_passkey: boolean
    readonly signed_in_by_passkey: boolean
  }
  readonly company: Company | null
  readonly companies: readonly Company[]
  readonly may_create_company: boolean
}

export interface Member {
  readonly person_id: string
  readonly name: string
  readonly email: string
  readonly role: Role
  readonly created_at: string
  /** Whether they have set up codes or a passkey; null: only owners see it of others. */
  readonly two_factor: boolean | null
  readonly is_you: boolean
}

/** A member who has got another role. */
export interface ChangedMember extends Member {
  /** How many open invitations of theirs have ended by it. */
  readonly invitations_ended: number
}

/** Somebody whom an owner sees in another company of theirs. */
export interface KnownPerson {
  readonly person_id: string
  readonly name: string
  readonly email: string
}

export interface Invitation {
  readonly id: string
  readonly email: string
  readonly role: Role
  readonly created_at: string
  readonly expires_at: string
  readonly invited_by: string
}

export interface NewInvitation extends Pick<Invitation, 'id' | 'email' | 'role' | 'expires_at'> {
  /** null where it was sent by e-mail. */
  readonly link: string | null
  readonly emailed: boolean
  /** Whether an open invitation of the same address has ended by it. */
  readonly replaced: boolean
}

export interface InvitationOffer {
  readonly company: string
  readonly email: string
  readonly role: Role
  readonly has_account: boolean
  readonly two_factor_required: boolean
}

export interface SignedInDevice {
  readonly id: string
  readonly created_at: string
  readonly updated_at: string
  readonly address: string | null
  readonly user_agent: string | null
  readonly is_current: boolean
}

export interface Account {
  readonly name: string
  readonly email: string
  /** Companies that stay and that nobody else owns: they keep the account from being deleted. */
  readonly only_owner_of: readonly { readonly id: string; readonly name: string }[]
  /** Those of them that are about to be deleted. Without the account, only the operator can undo that. */
  readonly only_owner_of_deleted: readonly { readonly id: string; readonly name: string }[]
}

/** A sign-in, or an attempt. */
export interface SignIn {
  readonly id: string
  readonly created_at: string
  readonly outcome: 'ok' | 'failed'
  readonly method: string
  readonly address: string | null
  readonly user_agent: string | null
}

export interface TwoFactor {
  readonly is_on: boolean
  readonly since: string | null
  readonly recovery_codes_left: number
}

export interface Passkey {
  readonly id: string
  readonly name: string
  readonly created_at: string
  readonly last_used_at: string | null
}

/** Shown once, to be typed or scanned into an authenticator app. */
export interface TwoFactorKey {
  /** What the QR code says. */
  readonly uri: string
  readonly key: string
}

/** Shown once. */
export interface RecoveryCodes {
  readonly recovery_codes: readonly string[]
}

export interface AuditEvent {
  readonly id: string
  readonly created_at: string
  readonly actor: string
  readonly action: string
  readonly target: string
  readonly details: Readonly<Record<string, unknown>>
  readonly address: string | null
  readonly user_agent: string | null
  readonly request_id: string | null
}

export interface ActivityPage {
  readonly events: readonly AuditEvent[]
  /** How many there are in all. */
  readonly total: number
}

/** An address that a link confirms. */
export interface NewEmail {
  readonly email: string
}
