-- The number of a company's credentials that are not revoked has a limit, and they are listed first: however many are revoked.
create index credential_not_revoked on credential (company_id, id) where revoked_at is null;
