import { lazy } from 'react'

const load = () => import('./pages.ts')

// Whoever goes on from the first page should not have to wait.
addEventListener('load', () => setTimeout(() => void load().catch(() => {}), 500))

export const AccountPage = lazy(async () => ({ default: (await load()).AccountPage }))
export const ActivityPage = lazy(async () => ({ default: (await load()).ActivityPage }))
export const CompanyPage = lazy(async () => ({ default: (await load()).CompanyPage }))
export const ConfirmEmailPage = lazy(async () => ({ default: (await load()).ConfirmEmailPage }))
export const MembersPage = lazy(async () => ({ default: (await load()).MembersPage }))
export const CreateDialog = lazy(async () => ({ default: (await load()).CreateDialog }))
export const CredentialPage = lazy(async () => ({ default: (await load()).CredentialPage }))
export const CredentialsPage = lazy(async () => ({ default: (await load()).CredentialsPage }))
export const FieldsPage = lazy(async () => ({ default: (await load()).FieldsPage }))
export const LatestRequests = lazy(async () => ({ default: (await load()).LatestRequests }))
export const Palette = lazy(async () => ({ default: (await load()).Palette }))
export const RequestsPage = lazy(async () => ({ default: (await load()).RequestsPage }))
export const RequestsPanel = lazy(async () => ({ default: (await load()).RequestsPanel }))
export const TwoFactorNeededPage = lazy(async () => ({ default: (await load()).TwoFactorNeededPage }))
export const RowsPage = lazy(async () => ({ default: (await load()).RowsPage }))
export const WebhookPage = lazy(async () => ({ default: (await load()).WebhookPage }))
export const WebhooksPage = lazy(async () => ({ default: (await load()).WebhooksPage }))
