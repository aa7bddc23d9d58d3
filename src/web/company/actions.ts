import type { AuditAction } from '../api-types.ts'

/** What the audit log knows, in words: "Ada … Nightly report". */
const words: Readonly<Record<AuditAction, string>> = {
  'company.created': 'created the company',
  'company.renamed': 'renamed the company',
  'company.two_factor_required': 'required two-factor sign-in of all members',
  'company.two_factor_optional': 'made two-factor sign-in optional again',
  'company.transferred': 'handed the company to',
  'company.deletion_started': 'asked for the deletion of',
  'company.deletion_undone': 'stopped the deletion of',
  'company.events_on': 'turned events on',
  'company.events_off': 'turned events off',
  'member.invited': 'invited',
  'member.joined': 'joined',
  'member.added': 'added',
  'member.role_changed': 'changed the role of',
  'member.removed': 'removed',
  'member.two_factor_on': 'turned on two-factor sign-in for',
  'member.two_factor_off': 'turned off two-factor sign-in for',
  'member.recovery_codes_renewed': 'made new recovery codes for',
  'member.passkey_added': 'added a passkey for',
  'member.passkey_removed': 'deleted a passkey of',
  'member.email_changed': 'changed the e-mail address of',
  'member.account_deleted': 'deleted the account',
  'invitation.revoked': 'withdrew the invitation of',
  'invitation.not_sent': 'was not able to send the invitation of',
  'invitation.ended': 'ended the invitation of',
  'field.created': 'created the field',
  'field.changed': 'changed the field',
  'field.reordered': 'reordered the fields of',
  'field.archived': 'archived the field',
  'field.restored': 'restored the field',
  'field.deleted': 'deleted the field',
  'credential.created': 'created the credential',
  'credential.renamed': 'renamed the credential',
  'credential.limited': 'changed the rate limit of',
  'credential.access_changed': 'changed the access of',
  'credential.expiry_changed': 'changed the expiry of',
  'credential.rotated': 'rotated the secret of',
  'credential.secret_ended': 'ended a secret of',
  'credential.revoked': 'revoked the credential',
  'credential.exposed': 'noticed in a browser the secret of',
  'webhook.created': 'created the webhook to',
  'webhook.changed': 'changed the webhook to',
  'webhook.rotated': 'rotated the secret of the webhook to',
  'webhook.enabled': 'enabled the webhook to',
  'webhook.disabled': 'disabled the webhook to',
  'webhook.replayed': 'sent events again to',
  'webhook.deleted': 'deleted the webhook to',
}

/** The same for any name: a later version may have written others. */
export const actions: Readonly<Record<string, string>> = words

/** `{ role: "viewer", credential_id: "…" }` → "role: viewer". Ids are for the CSV. */
export function detailsText(details: Readonly<Record<string, unknown>> | null): string {
  return Object.entries(details ?? {})
    .filter(([name, value]) => value !== null && value !== '' && !/(^|_)id$/.test(name))
    .map(([name, value]) => `${name.replace(/_(?:seconds|at)$/, '').replaceAll('_', ' ')}: ${valueText(name, value)}`)
    .join(', ')
}

const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium' })

/** Why an invitation has ended. */
const reasons: Readonly<Record<string, string>> = {
  mail_not_sent: 'the e-mail could not be sent',
  sender_not_owner: 'whoever sent it is no longer an owner',
  sender_removed: 'whoever sent it is no longer a member',
  account_deleted: 'whoever sent it has deleted their account',
}

function valueText(name: string, value: unknown): string {
  if (name === 'reason') return reasons[String(value)] ?? String(value)
  if (name.endsWith('_at') && typeof value === 'string') return day.format(new Date(value))
  if (name.endsWith('_seconds') && typeof value === 'number') return `${value / 3600} h`
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
