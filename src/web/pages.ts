// Every page but the overview, which most people see first, and its dialog. They are one file, loaded as soon as nothing else is to do.
export { AccountPage } from './account/account-page.tsx'
export { ActivityPage } from './company/activity-page.tsx'
export { CompanyPage } from './company/company-page.tsx'
export { MembersPage } from './company/members-page.tsx'
export { CreateDialog } from './credentials/create-dialog.tsx'
export { CredentialPage } from './credentials/credential-page.tsx'
export { CredentialsPage } from './credentials/credentials-page.tsx'
export { RowsPage } from './rows/rows-page.tsx'
