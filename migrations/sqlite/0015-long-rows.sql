-- Rows whose own fields take more than 300 bytes: src/store/company-sizes.ts asks for the longest.
create index bid_by_own_bytes on bid (company_id, ifnull(octet_length(fields), 0) + ifnull(octet_length(archived_fields), 0))
  where ifnull(octet_length(fields), 0) + ifnull(octet_length(archived_fields), 0) > 300;
create index project_by_own_bytes on project (company_id, ifnull(octet_length(fields), 0) + ifnull(octet_length(archived_fields), 0))
  where ifnull(octet_length(fields), 0) + ifnull(octet_length(archived_fields), 0) > 300;
