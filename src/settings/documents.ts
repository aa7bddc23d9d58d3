import type { FieldDocument, Transitions } from '../fields/field.ts'
import type { CredentialDocument } from '../keys/credential.ts'
import type { Outcome } from '../keys/tally.ts'
import type { Role } from '../people/roles.ts'

// What is sent under /api, by its names there. The page in the browser imports these types, and nothing else of the
// server: what this file imports must not lead to the runtime.

export type { FieldChoice, FieldRules, FieldType, Transitions } from '../fields/field.ts'
export type { Access } from '../keys/credential.ts'
export type { Operation } from '../keys/narrowing.ts'
export type { Role }

export interface Setup {
  readonly first_run: boolean
  readonly signup: 'invite' | 'open'
  readonly email_enabled: boolean
  /** The provider of sign-ins, where there is one. */
  readonly oidc_name: string | null
  readonly base_url: string
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
    readonly two_factor: boolean
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
  readonly two_factor: boolean
  readonly is_you: boolean
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
  /** Companies that nobody else owns: they keep the account from being deleted. */
  readonly only_owner_of: readonly { readonly id: string; readonly name: string }[]
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

type UsageOfDay = { readonly day: string } & Readonly<Record<Outcome, number>>

/** How far a chart of requests looks back. */
export type UsageSpan = '24h' | '7d' | '30d' | '90d'

/** The requests of one hour, or of one day in UTC. */
type UsageBar = {
  readonly at: string
  /** The time that half of the requests, and 95 of 100, did not exceed; null for no requests. */
  readonly p50_ms: number | null
  readonly p95_ms: number | null
} & Readonly<Record<Outcome, number>>

export interface Usage {
  readonly span: UsageSpan
  readonly step: 'hour' | 'day'
  readonly bars: readonly UsageBar[]
}

export interface UsageOfHour {
  readonly hour: string
  readonly secret_id: string
  readonly outcome: Outcome
  readonly requests: number
}

export interface Secret {
  readonly id: string
  readonly created_at: string
  readonly expires_at: string | null
  readonly last_used_at: string | null
  readonly requests_24h: number
}

export interface Credential extends CredentialDocument {
  readonly last_used: {
    readonly at: string
    readonly address: string | null
    readonly user_agent: string | null
  } | null
  readonly secrets: readonly Secret[]
  readonly usage: readonly UsageOfDay[]
}

export interface CredentialInDetail extends Credential {
  readonly usage_by_hour: readonly UsageOfHour[]
}

/** The one answer that carries a secret. It is shown, and then forgotten. */
export interface IssuedCredential extends Credential {
  readonly api_secret: string
}

export interface LastRequest {
  readonly at: string
  readonly credential_id: string | null
  readonly credential_name: string | null
  readonly outcome: Outcome
  readonly status: number
  readonly code: string | null
  readonly method: string
}

export interface Overview {
  readonly days: readonly UsageOfDay[]
  readonly not_scoped: readonly {
    readonly credential_id: string
    readonly name: string
    readonly requests: number
  }[]
  readonly last_request: LastRequest | null
  readonly credentials: number
  /** How many there are of each resource. */
  readonly rows: Readonly<Record<string, number>>
}

/** A request of an application. */
export interface LoggedRequest {
  /** The X-Request-Id of its answer. */
  readonly id: string
  readonly at: string
  readonly credential_id: string
  readonly credential_name: string
  readonly method: string
  /** With its query. What is long ends in `…`. */
  readonly path: string
  readonly outcome: Outcome
  readonly status: number
  readonly ms: number
  readonly code: string | null
  /** null, too, where it could quote a body. */
  readonly message: string | null
  readonly hint: string | null
  readonly address: string | null
  readonly user_agent: string | null
  /** How many more of the same kind came in its minute and were not kept. */
  readonly left_out: number
}

export interface RequestsPage {
  readonly requests: readonly LoggedRequest[]
  readonly next: string | null
  /** false: the operator has switched the log off. */
  readonly is_on: boolean
}

/** The start of a file that is to be imported. */
export interface ImportPreview {
  readonly delimiter: string
  readonly header: readonly string[]
  /** The column of each name in the header; null where none fits. */
  readonly columns: readonly (string | null)[]
  readonly rows: readonly (readonly string[])[]
  /** All columns that a file can have values for. */
  readonly choices: readonly { readonly name: string; readonly label: string; readonly needed: boolean }[]
}

/** A row of a file that cannot be imported. */
export interface BadRow {
  /** The first row after the names is 1. */
  readonly row: number
  readonly cells: readonly string[]
  readonly code: string
  readonly message: string
  readonly hint: string | null
}

/** What became of some rows of a file. They are written all or not at all. */
export interface ImportedPart {
  readonly rows: number
  readonly written: number
  readonly bad: readonly BadRow[]
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

export interface Column {
  readonly name: string
  readonly label: string
  readonly description: string
  readonly type: string
  /** The resource whose rows it names. */
  readonly references: string | null
  readonly nullable: boolean
  readonly writable: boolean
  /** Whether a new row must be sent with a value for it. */
  readonly needed: boolean
  readonly default: unknown
  readonly max_length: number | null
  /** The values to choose from. */
  readonly choices: readonly Choice[] | null
  /** Of a choice with states. */
  readonly states: States | null
  /** Whether the company has added it. */
  readonly own: boolean
}

export interface Choice {
  readonly value: string
  readonly label: string
  readonly color: string
  /** Only rows that have the value keep it. */
  readonly closed: boolean
}

interface States {
  /** What a new row may have; null for any value. */
  readonly starts: readonly string[] | null
  /** What may follow each value; null where every value may. */
  readonly next: Transitions | null
}

/** A field that a company has added to a resource. */
export type Field = FieldDocument

/** How many rows have a value, by the id of the field. */
export type FieldValues = Readonly<Record<string, number>>

/** A kind of rows, as the service defines it. */
export interface Resource {
  readonly name: string
  /** "project" */
  readonly one: string
  /** "projects" */
  readonly many: string
  /** `/projects` */
  readonly path: string
  readonly description: string
  readonly primary_key: string
  /** The column by which people know a row. */
  readonly naming_column: string
  /** Its rows can be listed, but not created, changed or deleted. */
  readonly read_only: boolean
  /** Companies can add fields of their own to it. */
  readonly takes_fields: boolean
  readonly columns: readonly Column[]
}
